#include <gtest/gtest.h>

#include "base/NearestName.h"
#include "base/TextTable.h"
#include "base/TypeText.h"

namespace fdg {
namespace {

TEST(NearestName, FindsSlipsAndLeavesStrangersAlone) {
  EXPECT_EQ(nearestName("lerner", {"actor", "learner"}), "learner");
  EXPECT_EQ(nearestName("qq", {"actor", "learner"}), "");
  EXPECT_EQ(nearestName("x", {}), "");
  EXPECT_EQ(nearestName(std::string(100'000, 'a'), {"actor"}), "");
  EXPECT_EQ(didYouMean("actro", {"actor"}), "; did you mean actor?");
  EXPECT_EQ(listNames({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(listNames({}), "");
}

TEST(TextTable, AlignsByLettersNotBytes) {
  TextTable table({"name", ">n"});
  table.row({"–", "10"});
  table.row({"abcdef", "7"});
  EXPECT_EQ(table.text(""), "name     n\n–       10\nabcdef   7\n");
}

TEST(TextTable, WrapsAtSpaces) { EXPECT_EQ(wrapText("aa bb  cc", 5, "  "), "aa bb\n  cc"); }

TEST(TypeText, LeavesOutNamespacesThatSayNothing) {
  EXPECT_EQ(shortType("fdg::Weighted<fdg::rl::Gradients>"), "Weighted<rl::Gradients>");
  EXPECT_EQ(shortType("std::vector<at::Tensor>"), "vector<Tensor>");
  EXPECT_EQ(shortType("mystd::Flat"), "mystd::Flat");
  EXPECT_EQ(shortType("mine::std::Thing"), "mine::std::Thing");
}

}  // namespace
}  // namespace fdg
