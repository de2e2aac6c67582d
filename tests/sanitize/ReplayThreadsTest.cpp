// The prioritized replay under many threads, built with ThreadSanitizer: what is drawn is always
// whole, and nothing is lost. Rows carry their number in every field, frames too.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "algorithms/parts/PrioritizedRows.h"
#include "base/Check.h"

namespace fdg::rl {
namespace {

constexpr size_t kFrame = 24;
constexpr int64_t kStack = 3;
constexpr int64_t kBatch = 16;

/// One row: a number, a stack of frames that continues from number to number, the number again.
struct Columns {
  std::vector<uint64_t> number;
  std::vector<std::byte> stack;
  std::vector<float> again;

  explicit Columns(int64_t rows)
      : number(static_cast<size_t>(rows)),
        stack(static_cast<size_t>(rows * kStack) * kFrame),
        again(static_cast<size_t>(rows)) {}
  std::array<std::byte*, 3> fields() {
    return {reinterpret_cast<std::byte*>(number.data()), stack.data(),
            reinterpret_cast<std::byte*>(again.data())};
  }
};

std::byte frameByte(uint64_t number, size_t at) {
  return static_cast<std::byte>((number * 37 + at) & 0xff);
}

Columns rowsFrom(uint64_t first, int64_t count) {
  Columns rows(count);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    rows.number[i] = first + i;
    rows.again[i] = static_cast<float>(first + i);
    for (size_t b = 0; b < kStack * kFrame; ++b) {
      rows.stack[i * kStack * kFrame + b] = frameByte(first + i + b / kFrame, b % kFrame);
    }
  }
  return rows;
}

/// Whether every row is one that was added, in all its parts.
bool whole(const Columns& rows) {
  for (size_t i = 0; i < rows.number.size(); ++i) {
    const Columns wanted = rowsFrom(rows.number[i], 1);
    if (rows.again[i] != wanted.again[0] ||
        std::memcmp(rows.stack.data() + i * kStack * kFrame, wanted.stack.data(),
                    kStack * kFrame) != 0) {
      return false;
    }
  }
  return true;
}

/// Adds rows with a list in which each of their frames stands once.
void addListed(PrioritizedRows& replay, Columns& rows, std::span<const double> errors) {
  const auto count = static_cast<int64_t>(rows.number.size());
  std::vector<std::byte> frames(static_cast<size_t>(count + kStack - 1) * kFrame);
  for (size_t b = 0; b < frames.size(); ++b) {
    frames[b] = frameByte(rows.number[0] + b / kFrame, b % kFrame);
  }
  std::vector<int32_t> places;
  for (int64_t i = 0; i < count * kStack; ++i) {
    places.push_back(static_cast<int32_t>(i / kStack + i % kStack));
  }
  auto fields = rows.fields();
  fields[1] = reinterpret_cast<std::byte*>(places.data());
  const FrameList list = {frames.data(), count + kStack - 1};
  replay.add(fields, count, errors, &list);
}

/// Feeders, samplers that bring new errors back, and one who reads priorities and removes rows.
void work(PrioritizedRows& replay, bool remove, bool stacks = true) {
  constexpr int kFeeders = 3, kSamplers = 3, kRounds = 400;
  std::atomic<int> feeding = kFeeders;
  std::atomic<int64_t> drawn = 0;
  std::atomic<bool> torn = false;
  std::vector<std::thread> threads;
  for (int f = 0; f < kFeeders; ++f) {
    threads.emplace_back([&, f] {
      for (int i = 0; i < kRounds || drawn == 0; ++i) {  // a sampler may be late
        const int64_t count = 1 + i % 7;
        Columns rows =
            rowsFrom(static_cast<uint64_t>(f) << 20 | static_cast<uint64_t>(i * 7), count);
        const std::vector<double> some(static_cast<size_t>(count), 0.5 + i % 3);
        const auto errors = i % 2 == 0 ? std::span(some) : std::span<const double>();
        if (stacks && i % 3 == 0) {
          addListed(replay, rows, errors);
        } else {
          replay.add(rows.fields(), count, errors);
        }
      }
      --feeding;
    });
  }
  for (int s = 0; s < kSamplers; ++s) {
    threads.emplace_back([&] {
      while (feeding > 0) {
        Columns rows(kBatch);
        Draws draws;
        try {
          draws = replay.sample({0, kBatch, kBatch}, rows.fields());
        } catch (const UserError&) {  // still, or again, empty
          std::this_thread::yield();
          continue;
        }
        torn = torn || !whole(rows);
        drawn += kBatch;
        const std::vector<double> errors(static_cast<size_t>(kBatch), 1.5);
        replay.update(draws.slots, draws.generations, errors);
      }
    });
  }
  threads.emplace_back([&] {
    while (feeding > 0) {
      for (int64_t slot = 0; slot < 8; ++slot) {
        torn = torn || !(replay.rawPriority(slot) >= 0);
      }
      if (remove) {
        replay.removeOldest(2);
      }
      std::this_thread::yield();
    }
  });
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_FALSE(torn);
  EXPECT_GT(drawn, 0);
}

const std::vector<RowField> kFields = {{.bytes = sizeof(uint64_t)},
                                       {.bytes = kStack * kFrame, .frames = kStack},
                                       {.bytes = sizeof(float)}};

TEST(ReplayThreads, WhatIsDrawnIsWholeWhileASmallRingIsOverwritten) {
  PrioritizedRows replay(kFields, {.capacity = 40}, Stream(1, "replay"));
  work(replay, /*remove=*/false);
  EXPECT_EQ(replay.size(), 40);
  EXPECT_LE(replay.frames(), 40 * kStack);
}

TEST(ReplayThreads, FramesThatRunShortPushOldRowsOut) {
  PrioritizedRows replay(kFields, {.capacity = 100, .frame_capacity = 90}, Stream(1, "replay"));
  work(replay, /*remove=*/false);
  EXPECT_LE(replay.frames(), 90);
  EXPECT_GT(replay.size(), 0);
}

TEST(ReplayThreads, RowsAreRemovedAndCutBackMeanwhile) {
  PrioritizedRows replay(
      kFields, {.capacity = 500, .normalise = "buffer", .soft_limit = 100, .cut_every = 5},
      Stream(1, "replay"));
  work(replay, /*remove=*/true);
  replay.removeOldest(1000);
  EXPECT_EQ(replay.size(), 0);
  EXPECT_EQ(replay.frames(), 0);
  EXPECT_EQ(replay.mass(), 0);
}

TEST(ReplayThreads, PlainRowsToo) {
  PrioritizedRows replay({{.bytes = 8}, {.bytes = kStack * kFrame}, {.bytes = 4}}, {.capacity = 64},
                         Stream(1, "replay"));
  work(replay, /*remove=*/false, /*stacks=*/false);
  EXPECT_EQ(replay.size(), 64);
}

}  // namespace
}  // namespace fdg::rl
