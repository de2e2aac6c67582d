#include "base/Seal.h"

#include <gtest/gtest.h>

namespace fdg {
namespace {

TEST(Seal, FindsEveryByteThatChanged) {
  const std::string bytes("a plan\0's bytes", 15);
  const std::string whole = sealed(bytes);
  EXPECT_TRUE(whole.starts_with(bytes));
  EXPECT_TRUE(sealHolds(whole));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = whole;
    flipped[i] ^= 1;
    EXPECT_FALSE(sealHolds(flipped)) << i;
  }
  EXPECT_TRUE(sealHolds(bytes)) << "what has none says nothing";
  EXPECT_TRUE(sealHolds(""));
}

}  // namespace
}  // namespace fdg
