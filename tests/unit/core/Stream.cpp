#include "fdg/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fdg/run.h"

namespace fdg {
namespace {

TEST(Stream, ARowsDrawsDoNotDependOnOtherRows) {
  Stream alone(7, "noise");
  Stream among(7, "noise");
  for (int i = 0; i < 100; ++i) {
    for (int64_t other : {0, 1, 2, 9}) {
      among.uniform(other);
    }
    EXPECT_EQ(alone.bits(5), among.bits(5));
  }
}

TEST(Stream, UniformAndNormalHaveTheirMoments) {
  Stream stream(1, "moments");
  double sum = 0, square = 0, normal = 0, normal_square = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    square += u * u;
    const double n = stream.normal();
    normal += n;
    normal_square += n * n;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.005);
  EXPECT_NEAR(square / kDraws, 1.0 / 3, 0.005);
  EXPECT_NEAR(normal / kDraws, 0, 0.01);
  EXPECT_NEAR(normal_square / kDraws, 1, 0.02);
}

TEST(Stream, BelowCoversItsRangeEvenly) {
  Stream stream(3, "below");
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) {
    ++counts.at(static_cast<size_t>(stream.below(2, 7)));
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 10'000, 500);
  }
}

TEST(Stream, APermutationHoldsEveryNumberOnce) {
  Stream stream(3, "order");
  std::vector<int64_t> order = stream.permutation(0, 100);
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::ranges::sort(order);
  for (int64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(order[static_cast<size_t>(i)], i);
  }
}

class NoBackend final : public RunBackend {
 public:
  void log(std::string_view, double, double) override {}
  void save(std::string_view, const NamedTensors&) override {}
  uint64_t seed() const override { return 4; }
};

TEST(RunStreams, AStreamIsTakenOnce) {
  NoBackend backend;
  fdg::Run run(backend);
  run.stream("a");
  run.stream("b");
  EXPECT_THROW(run.stream("a"), UserError);
}

}  // namespace
}  // namespace fdg
