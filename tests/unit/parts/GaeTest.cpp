#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "algorithms/parts/Gae.h"
#include "tests/unit/parts/RandomRows.h"

namespace fdg::rl {
namespace {

std::vector<float> estimate(const std::vector<float>& reward, const std::vector<float>& value,
                            const std::vector<float>& next, const std::vector<bool>& ended,
                            double gamma, double lambda) {
  const auto flags = std::make_unique<bool[]>(ended.size());
  std::copy(ended.begin(), ended.end(), flags.get());
  std::vector<float> advantage(reward.size());
  estimateAdvantages(
      {static_cast<int64_t>(reward.size()), reward.data(), value.data(), next.data(), flags.get()},
      gamma, lambda, advantage.data());
  return advantage;
}

void expectNear(const std::vector<float>& got, const std::vector<double>& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(got[i], wanted[i], 1e-4 * (1 + std::abs(wanted[i]))) << "at step " << i;
  }
}

TEST(Gae, Case19And23ATerminalStepHasNoNextValue) {
  expectNear(estimate({1, 1, 1}, {2, 2, 2}, {2, 2, 0}, {false, false, true}, 0.9, 0.8),
             {0.8 + 0.72 * 0.08, 0.08, -1.0});
}

TEST(Gae, Case20And21ATruncatedStepIsWorthItsFinalObservation) {
  expectNear(estimate({1, 1, 1}, {10, 10, 100}, {10, 5, 50}, {false, true, false}, 0.9, 0.8),
             {-3.24, -4.5, -54});
}

TEST(Gae, AgreesWithTheSumOfDiscountedErrors) {
  Stream stream(1, "gae");
  for (int round = 0; round < 300; ++round) {
    const RandomRow row = randomRow(stream);
    const double gamma = stream.uniform(0, 0, 1), lambda = stream.uniform(0, 0, 1);
    std::vector<double> wanted;
    for (size_t t = 0; t < row.reward.size(); ++t) {
      double sum = 0, factor = 1;
      for (size_t k = t; k < row.reward.size(); ++k) {
        sum += factor * (row.reward[k] + gamma * row.next_value[k] - row.value[k]);
        factor *= gamma * lambda;
        if (row.ended[k]) {
          break;
        }
      }
      wanted.push_back(sum);
    }
    std::vector<float> advantage(row.reward.size());
    estimateAdvantages(row.input(), gamma, lambda, advantage.data());
    expectNear(advantage, wanted);
  }
}

}  // namespace
}  // namespace fdg::rl
