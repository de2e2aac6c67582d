#include "runtime/host/FlatTerm.h"

#include <gtest/gtest.h>

#include <limits>

namespace fdg::host {
namespace {

using Tensors = std::vector<at::Tensor>;

Layout layoutOf(const Tensors& tensors) {
  value::Parts parts{tensors, "some"};
  leaveLayout(parts);
  EXPECT_TRUE(parts.tensors.empty());
  Layout layout = takeLayout(parts);
  EXPECT_EQ(parts.bytes, "some");
  EXPECT_EQ(parts.tensors.size(), tensors.size());
  return layout;
}

/// Folds range after range, as members in shared memory do, each by another member.
Tensors folded(const FoldRule& rule, const std::vector<Tensors>& terms, size_t range) {
  std::vector<std::unique_ptr<FlatTerm>> members;
  std::vector<Layout> layouts;
  for (size_t i = 0; i < terms.size(); ++i) {
    members.push_back(std::make_unique<FlatTerm>(i, terms[i]));
    layouts.push_back(layoutOf(terms[i]));
  }
  for (const auto& member : members) {
    member->joins(rule, layouts);
  }
  std::vector<std::vector<std::byte>> taken(terms.size(), std::vector<std::byte>(range));
  std::vector<std::byte> result(range);
  for (size_t begin = 0; begin < members[0]->size(); begin += range) {
    const size_t end = std::min(begin + range, members[0]->size());
    const size_t folds = begin / range % members.size();
    std::vector<const std::byte*> others(members.size(), nullptr);
    for (size_t i = 0; i < members.size(); ++i) {
      members[i]->take(taken[i].data(), begin, end);
      others[i] = i == folds ? nullptr : taken[i].data();
    }
    EXPECT_EQ(members[folds]->fold(result.data(), others, begin, end), transport::kNobody);
    members[0]->place(result.data(), begin, end);
  }
  return members[0]->result();
}

TEST(FlatTerm, HasTheBitsOfReducedTensorsHoweverItIsCut) {
  at::manual_seed(5);
  for (const size_t members : {2, 3, 5}) {
    for (const auto how :
         {OperationKind::reduce_sum, OperationKind::reduce_mean, OperationKind::reduce_max}) {
      FoldRule rule{how, {}};
      std::vector<Tensors> terms;
      for (size_t i = 0; i < members; ++i) {
        rule.weights.push_back(1.0 / 3.0 + static_cast<double>(i) * 7.1);
        terms.push_back({at::randn({37, 11}), at::randn({1}, at::kDouble), at::Tensor(),
                         at::zeros({0, 4}), at::randn({1001}, at::kDouble), at::randn({}),
                         at::randn({333}).to(at::kHalf), at::randn({20, 30}).t()});
      }
      for (const size_t range : {size_t{128}, size_t{1024}, size_t{1} << 20}) {
        const Tensors found = folded(rule, terms, range);
        for (size_t t = 0; t < terms[0].size(); ++t) {
          Tensors all;
          for (const Tensors& term : terms) {
            all.push_back(term[t]);
          }
          const at::Tensor wanted = value::reduceTensors(how, all, rule.weights);
          ASSERT_TRUE(value::sameBits(found[t], wanted)) << t << " of " << members;
          if (wanted.defined()) {
            EXPECT_EQ(found[t].strides(), wanted.strides());
          }
        }
      }
    }
  }
}

TEST(FlatTerm, NamesTheFirstTermThatIsNotFinite) {
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16}) {
    for (const auto how : {OperationKind::reduce_sum, OperationKind::reduce_mean}) {
      for (size_t guilty = 0; guilty < 4; ++guilty) {
        Tensors terms;
        for (size_t i = 0; i < 4; ++i) {
          terms.push_back(at::ones({200}, type));
        }
        terms[guilty][199] = std::numeric_limits<double>::infinity();
        terms[3][0] = std::numeric_limits<double>::quiet_NaN();
        FlatTerm member(0, {terms[0]});
        member.joins({how, {1, 1, 1, 1}}, std::vector<Layout>(4, layoutOf({terms[0]})));
        std::vector<const std::byte*> others = {nullptr};
        for (size_t i = 1; i < 4; ++i) {
          others.push_back(static_cast<const std::byte*>(terms[i].const_data_ptr()));
        }
        std::vector<std::byte> result(member.size());
        EXPECT_EQ(member.fold(result.data(), others, 0, member.size()), guilty);
      }
    }
  }
}

TEST(FlatTerm, RefusesADamagedLayout) {
  value::Parts whole{{at::zeros({3, 5}), at::zeros({4, 2}).t(), at::Tensor()}, ""};
  leaveLayout(whole);
  const size_t size = whole.bytes.size();
  for (size_t kept = 0; kept < size; ++kept) {
    value::Parts cut{{}, whole.bytes.substr(size - kept)};
    EXPECT_THROW(takeLayout(cut), UserError) << kept;
  }
  const Layout layout = takeLayout(whole);
  for (size_t word = 0; word + 1 < layout.size(); ++word) {
    FlatTerm member(0, {at::zeros({3, 5}), at::zeros({4, 2}).t(), at::Tensor()});
    EXPECT_THROW(member.joins({OperationKind::reduce_sum, {1, 1}},
                              {layout, Layout(layout.begin(), layout.begin() + static_cast<int64_t>(word) + 1)}),
                 UserError);
  }
}

TEST(FlatTerm, TakesWhatIsLargeAndPlain) {
  EXPECT_TRUE(isFoldable({{at::zeros({100'000}), at::Tensor()}, ""}));
  EXPECT_FALSE(isFoldable({{at::zeros({10})}, ""}));
  EXPECT_FALSE(isFoldable({{}, std::string(1 << 20, 'x')}));
  EXPECT_FALSE(isFoldable({{at::zeros({100'000}, at::kComplexFloat)}, ""}));
  EXPECT_FALSE(isFoldable({{at::zeros({100'000}), at::zeros({3}).to_sparse()}, ""}));
}

}  // namespace
}  // namespace fdg::host
