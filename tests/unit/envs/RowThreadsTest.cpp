#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "algorithms/envs/RowThreads.h"
#include "base/Check.h"

namespace fdg::rl {
namespace {

TEST(RowThreads, EveryRowIsTakenOnce) {
  for (const size_t size : {1, 2, 3, 8}) {
    RowThreads threads(size);
    for (const size_t rows : {0, 1, 2, 7, 8, 100}) {
      for (int round = 0; round < 50; ++round) {
        std::vector<int> taken(rows);
        threads.each(rows, [&](size_t thread, size_t begin, size_t end) {
          EXPECT_LT(thread, size);
          for (size_t i = begin; i < end; ++i) {
            ++taken[i];
          }
        });
        EXPECT_EQ(taken, std::vector<int>(rows, 1)) << size << " threads, " << rows << " rows";
      }
    }
  }
}

TEST(RowThreads, NoTwoThreadsHaveTheSameNumber) {
  RowThreads threads(4);
  std::vector<std::atomic<int>> inside(4);
  for (int round = 0; round < 100; ++round) {
    threads.each(64, [&](size_t thread, size_t, size_t) {
      EXPECT_EQ(inside[thread]++, 0);
      std::this_thread::yield();
      --inside[thread];
    });
  }
}

TEST(RowThreads, TheErrorOfTheLowestRowsReachesTheCaller) {
  RowThreads threads(3);
  for (int round = 0; round < 50; ++round) {
    std::atomic<size_t> done = 0;
    try {
      threads.each(12, [&](size_t, size_t begin, size_t end) {
        done += end - begin;
        if (begin >= 5) {
          throw UserError("row " + std::to_string(begin));
        }
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const UserError& error) {
      EXPECT_STREQ(error.what(), "row 5");
    }
    EXPECT_EQ(done, 12);
  }
}

TEST(RowThreads, OneUnlessAskedForMore) {
  unsetenv("FDG_ENV_THREADS");
  EXPECT_EQ(environmentThreads(), 1);
  setenv("FDG_ENV_THREADS", "6", 1);
  EXPECT_EQ(environmentThreads(), 6);
  for (const char* bad : {"0", "-1", "two", "2x", "1025", "99999999999999999999"}) {
    setenv("FDG_ENV_THREADS", bad, 1);
    try {
      environmentThreads();
      ADD_FAILURE() << bad << " was taken";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  testing::HasSubstr(std::string("\"") + bad + "\"; it is the number"));
    }
  }
  unsetenv("FDG_ENV_THREADS");
}

}  // namespace
}  // namespace fdg::rl
