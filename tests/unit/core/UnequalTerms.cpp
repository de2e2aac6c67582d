#include "core/UnequalTerms.h"

#include <gtest/gtest.h>

#include "base/Check.h"

namespace fdg::value {
namespace {

std::string said(const std::vector<std::vector<std::string>>& terms) {
  try {
    refuseUnequalTerms(terms);
  } catch (const UserError& error) {
    const std::string text = error.what();
    const std::string begin =
        "this value cannot be reduced: the replicas' tensors differ in shape or dtype: ";
    EXPECT_EQ(text.substr(0, begin.size()), begin);
    return text.substr(begin.size());
  }
}

TEST(UnequalTerms, TheOddOnesAreNamed) {
  EXPECT_EQ(said({{"a"}, {"b"}}), "replica 1 has b, replica 0 a");
  EXPECT_EQ(said({{"b"}, {"a"}, {"a"}}), "replica 0 has b, the others have a");
  EXPECT_EQ(said({{"a"}, {"b"}, {"c"}, {"a"}}), "replica 1 has b, replica 2 has c, the others have a");
  EXPECT_EQ(said({{"x", "a", "z"}, {"x", "b", "y"}}), "replica 1 has b, replica 0 a");
  EXPECT_EQ(said({{"x", "a"}, {"x", "a"}, {"x"}}), "replica 2 has 1 tensors, the others have 2 tensors");
  std::vector<std::vector<std::string>> many(20, {"a"});
  for (size_t i = 3; i < 9; ++i) {
    many[i] = {"b"};
  }
  EXPECT_EQ(said(many),
            "replica 3 has b, replica 4 has b, replica 5 has b, replica 6 has b, 2 more differ, the "
            "others have a");
}

TEST(UnequalTerms, AShapeHasTypeAndSizes) {
  EXPECT_EQ(shapeText(at::zeros({3, 4})), "Float [3, 4]");
  EXPECT_EQ(shapeText(at::zeros({}, at::kLong)), "Long []");
  EXPECT_EQ(shapeText(at::Tensor()), "nothing");
  EXPECT_EQ(shapeText(at::zeros({2}).to_sparse()), "Float [2], sparse");
}

}  // namespace
}  // namespace fdg::value
