#include "algorithms/parts/LambdaReturns.h"

#include <gtest/gtest.h>

#include "tests/unit/parts/RandomRows.h"

namespace fdg::rl {
namespace {

/// Rewards from `t` to `last`, then what it leads to.
double nStepReturn(const RandomRow& row, size_t t, size_t last, double gamma) {
  double sum = 0, factor = 1;
  for (size_t k = t; k <= last; ++k) {
    sum += factor * row.reward[k];
    factor *= gamma;
  }
  return sum + factor * row.next_value[last];
}

TEST(LambdaReturns, AreTheMixtureOfAllNStepReturns) {
  Stream stream(1, "lambda");
  for (int round = 0; round < 300; ++round) {
    const RandomRow row = randomRow(stream);
    const double gamma = stream.uniform(0, 0, 1), lambda = stream.uniform(0, 0, 1);
    std::vector<float> returns(row.reward.size()), advantage(row.reward.size());
    lambdaReturns(row.input(), gamma, lambda, returns.data());
    estimateAdvantages(row.input(), gamma, lambda, advantage.data());
    for (size_t t = 0; t < returns.size(); ++t) {
      size_t last = t;
      while (last + 1 < returns.size() && !row.ended[last]) {
        ++last;
      }
      double wanted = 0, share = 1;
      for (size_t k = t; k < last; ++k) {
        wanted += share * (1 - lambda) * nStepReturn(row, t, k, gamma);
        share *= lambda;
      }
      wanted += share * nStepReturn(row, t, last, gamma);
      EXPECT_NEAR(returns[t], wanted, 1e-5) << "at step " << t;
      EXPECT_NEAR(returns[t], advantage[t] + row.value[t], 1e-5) << "at step " << t;
    }
  }
}

TEST(LambdaReturns, ATruncatedStepIsWorthItsFinalObservationAndATerminatedOneNothing) {
  RandomRow row{{1, 1, 1, 1}, {}, {10, 5, 10, 0}, std::make_unique<bool[]>(4)};
  row.ended[1] = row.ended[3] = true;
  std::vector<float> returns(4);
  GaeInput input = row.input();
  input.value = nullptr;
  lambdaReturns(input, 0.9, 1, returns.data());
  EXPECT_FLOAT_EQ(returns[1], 1 + 0.9f * 5);
  EXPECT_FLOAT_EQ(returns[0], 1 + 0.9f * returns[1]);
  EXPECT_FLOAT_EQ(returns[3], 1);
  EXPECT_FLOAT_EQ(returns[2], 1.9f);
}

}  // namespace
}  // namespace fdg::rl
