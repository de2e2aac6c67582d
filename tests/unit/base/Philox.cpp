#include "base/Philox.h"

#include <gtest/gtest.h>

namespace fdg {
namespace {

// The known answers published with the Random123 library.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox(0, 0, 0), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(~0ULL, ~0ULL, ~0ULL),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, NamesGiveDifferentKeys) {
  EXPECT_NE(hashName(1, "actor"), hashName(1, "Actor"));
  EXPECT_NE(hashName(1, "actor"), hashName(2, "actor"));
}

}  // namespace
}  // namespace fdg
