#include "base/ReadFile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace fdg {
namespace {

TEST(ReadFile, GivesEveryByte) {
  const std::string path = testing::TempDir() + "/read-" + std::to_string(::getpid());
  const std::string bytes("a\r\n\0b\n", 6);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(contentOf(path), bytes);
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(contentOf(path), "");
  std::filesystem::remove(path);
  errno = 0;
  EXPECT_FALSE(contentOf(path));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(contentOf(testing::TempDir()));
  EXPECT_EQ(errno, EISDIR);
}

}  // namespace
}  // namespace fdg
