#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "algorithms/parts/Powers.h"
#include "algorithms/parts/SumTree.h"
#include "fdg/stream.h"

namespace fdg::rl {
namespace {

/// The leaf where the running sum passes the mass, leaf by leaf.
int64_t findSlowly(const std::vector<double>& leaves, double mass) {
  double sum = 0;
  int64_t last = 0;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i] > 0) {
      last = static_cast<int64_t>(i);
      sum += leaves[i];
      if (mass < sum) {
        return last;
      }
    }
  }
  return last;
}

KaryTree treeOf(const std::vector<double>& leaves, int64_t capacity = 0) {
  KaryTree tree(std::max(capacity, static_cast<int64_t>(leaves.size())), Fold::sum);
  for (size_t i = 0; i < leaves.size(); ++i) {
    tree.set(static_cast<int64_t>(i), leaves[i]);
  }
  return tree;
}

TEST(SumTree, Case1IndicesStayInsideTheFilledPart) {
  Stream stream(1, "case1");
  KaryTree tree(500, Fold::sum);
  for (int64_t i = 0; i < 100; ++i) {
    tree.set(i, stream.uniform());
  }
  for (int i = 0; i < 100'000; ++i) {
    const int64_t leaf = tree.find(stream.uniform() * tree.total());
    ASSERT_GE(leaf, 0);
    ASSERT_LT(leaf, 100);
  }
  const KaryTree thirds = treeOf({0.1, 0.1, 0.1}, 8);
  EXPECT_EQ(thirds.find(thirds.total()), 2);
  const KaryTree skewed = treeOf({0.4, 0.1, 0.1, 0.1, 0.1}, 8);
  EXPECT_EQ(skewed.find(std::nextafter(0.800000072, 0.0)), 4);
}

TEST(SumTree, Case2EveryCapacityFindsTheRightLeaf) {
  const KaryTree tree = treeOf({1, 1, 1});
  EXPECT_EQ(tree.find(0.5), 0);
  EXPECT_EQ(tree.find(1.5), 1);
  EXPECT_EQ(tree.find(2.5), 2);
  for (const int64_t capacity : {1, 2, 15, 16, 17, 255, 256, 257, 4096, 4097}) {
    const KaryTree ones = treeOf(std::vector<double>(static_cast<size_t>(capacity), 1.0));
    ASSERT_EQ(ones.total(), static_cast<double>(capacity));
    for (int64_t i = 0; i < capacity; ++i) {
      ASSERT_EQ(ones.find(static_cast<double>(i) + 0.5), i);
    }
  }
}

TEST(SumTree, Case5TheRootIsTheSumOfTheLeaves) {
  Stream stream(1, "case5");
  KaryTree tree(1000, Fold::sum);
  std::vector<double> leaves(1000);
  for (int i = 0; i < 32'000; ++i) {
    const int64_t leaf = stream.below(0, 1000);
    leaves[static_cast<size_t>(leaf)] = stream.uniform(0, 0.1, 5);
    tree.set(leaf, leaves[static_cast<size_t>(leaf)]);
  }
  const double sum = std::accumulate(leaves.begin(), leaves.end(), 0.0);
  EXPECT_NEAR(tree.total(), sum, 1e-9 * sum);
  KaryTree drift(8, Fold::sum);
  drift.set(0, 1e8);
  drift.set(1, 1);
  drift.set(0, 0);
  EXPECT_EQ(drift.total(), 1);
}

TEST(SumTree, Case6NeverFindsALeafOfZero) {
  const KaryTree tree = treeOf({0, 1, 0, 1}, 256);
  EXPECT_EQ(tree.find(0), 1);
  EXPECT_EQ(tree.find(1), 3);
  EXPECT_EQ(tree.find(2), 3);
  EXPECT_EQ(tree.find(5), 3);
  KaryTree fresh(256, Fold::sum);
  for (int64_t i = 0; i < 256; ++i) {
    EXPECT_EQ(fresh.get(i), 0);
  }
}

TEST(SumTree, AgreesWithAPlainArray) {
  Stream stream(2, "plain");
  for (int round = 0; round < 200; ++round) {
    const int64_t size = 1 + stream.below(0, 700);
    KaryTree sums(size, Fold::sum);
    KaryTree largest(size, Fold::maximum);
    std::vector<double> leaves(static_cast<size_t>(size));
    for (int i = 0; i < 300; ++i) {
      const int64_t leaf = stream.below(0, size);
      // Quarters add exactly, so both orders of summing give the same bits.
      const double value = 0.25 * static_cast<double>(stream.below(0, 40));
      leaves[static_cast<size_t>(leaf)] = value;
      sums.set(leaf, value);
      largest.set(leaf, value);
    }
    ASSERT_EQ(sums.total(), std::accumulate(leaves.begin(), leaves.end(), 0.0));
    ASSERT_EQ(largest.total(), *std::max_element(leaves.begin(), leaves.end()));
    for (int i = 0; i < 100 && sums.total() > 0; ++i) {
      const double mass = stream.uniform(0, 0, sums.total());
      ASSERT_EQ(sums.find(mass), findSlowly(leaves, mass));
    }
  }
}

TEST(SumTree, ABatchGivesTheBitsOfOneByOne) {
  Stream stream(4, "batch");
  for (const int64_t size : {1, 16, 17, 700, 5000}) {
    for (const size_t batch : {0U, 1U, 3U, 65U, 400U}) {
      for (const Fold fold : {Fold::sum, Fold::maximum}) {
        KaryTree together(size, fold), alone(size, fold);
        std::vector<int64_t> leaves(batch);
        std::vector<double> values(batch), masses(batch);
        for (int round = 0; round < 5; ++round) {
          for (size_t i = 0; i < batch; ++i) {
            leaves[i] = stream.below(0, size);  // some of them twice
            values[i] = i % 7 == 0 ? 0 : stream.uniform(0, 0.1, 5);
            alone.set(leaves[i], values[i]);
          }
          together.set(leaves, values);
          ASSERT_EQ(together.total(), alone.total());
          for (int64_t leaf = 0; leaf < size; ++leaf) {
            ASSERT_EQ(together.get(leaf), alone.get(leaf));
          }
        }
        for (double& mass : masses) {
          mass = stream.uniform(0, 0, 1.01 * together.total());
        }
        std::vector<int64_t> found(batch);
        together.find(masses, found);
        for (size_t i = 0; i < batch; ++i) {
          ASSERT_EQ(found[i], alone.find(masses[i]));
        }
      }
    }
  }
}

TEST(Powers, AreThoseOfTheLibraryAndTheSameWhereverAValueStands) {
  Stream stream(5, "powers");
  std::vector<double> values(333), results(333);
  for (const double exponent : {0.6, -0.4, 1.0, 0.0, -1.0, 0.05}) {
    for (double& value : values) {
      value = std::exp2(stream.uniform(0, -60, 60));
    }
    values[7] = 1e-308;
    powers(values, exponent, results);
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(results[i] / std::pow(values[i], exponent), 1, 1e-14);
      double alone = 0;
      powers({&values[i], 1}, exponent, {&alone, 1});
      ASSERT_EQ(alone, results[i]);
    }
  }
  double zero = 0;
  powers({&zero, 1}, 0.5, {&zero, 1});
  EXPECT_EQ(zero, 0);
  powers({&zero, 1}, 0, {&zero, 1});
  EXPECT_EQ(zero, 1);
}

TEST(SumTree, FrequenciesFollowSkewedPriorities) {
  Stream stream(3, "chi");
  std::vector<double> leaves;
  for (int i = 0; i < 50; ++i) {
    leaves.push_back(std::pow(10.0, stream.uniform(0, -6, 6)));
  }
  const KaryTree tree = treeOf(leaves);
  std::vector<double> counts(leaves.size());
  constexpr int kDraws = 1'000'000;
  for (int i = 0; i < kDraws; ++i) {
    ++counts[static_cast<size_t>(tree.find(stream.uniform() * tree.total()))];
  }
  double chi = 0;
  double rest_expected = 0, rest_seen = 0;
  int bins = 0;
  for (size_t i = 0; i < leaves.size(); ++i) {
    const double expected = kDraws * leaves[i] / tree.total();
    if (expected < 5) {
      rest_expected += expected;
      rest_seen += counts[i];
      continue;
    }
    chi += (counts[i] - expected) * (counts[i] - expected) / expected;
    ++bins;
  }
  if (rest_expected > 5) {
    chi += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
    ++bins;
  }
  // Wilson-Hilferty: the quantile of chi square at 1e-4.
  const double k = bins - 1;
  const double bound = k * std::pow(1 - 2 / (9 * k) + 3.719 * std::sqrt(2 / (9 * k)), 3);
  EXPECT_LT(chi, bound);
}

}  // namespace
}  // namespace fdg::rl
