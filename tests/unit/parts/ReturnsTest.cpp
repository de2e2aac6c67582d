// λ-returns and V-trace against their definitions, on random steps with terminations and
// truncations.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/parts/LambdaReturns.h"
#include "algorithms/parts/Vtrace.h"
#include "fdg/stream.h"

namespace fdg::rl {
namespace {

struct Steps {
  std::vector<float> reward, value, next, log_ratio;
  std::unique_ptr<bool[]> ended;

  size_t size() const { return reward.size(); }
  GaeInput input() const {
    return {static_cast<int64_t>(size()), reward.data(), value.data(), next.data(), ended.get()};
  }
  /// The step behind the last that a return from t on may count.
  size_t endOf(size_t t) const {
    while (t + 1 < size() && !ended[t]) {
      ++t;
    }
    return t + 1;
  }
};

/// A quarter of the steps terminates, a quarter is truncated. As in a rollout a step that ends
/// nothing leads to the value of the next one.
Steps randomSteps(Stream& stream) {
  Steps steps;
  const auto count = static_cast<size_t>(1 + stream.below(0, 20));
  steps.ended = std::make_unique<bool[]>(count);
  for (size_t t = 0; t < count; ++t) {
    steps.reward.push_back(static_cast<float>(stream.normal()));
    steps.value.push_back(static_cast<float>(stream.normal()));
    steps.log_ratio.push_back(static_cast<float>(stream.normal()));
  }
  for (size_t t = 0; t < count; ++t) {
    const int64_t end = stream.below(0, 4);
    steps.ended[t] = end < 2;
    const bool goes_on = end >= 2 && t + 1 < count;
    steps.next.push_back(end == 0  ? 0.0F
                         : goes_on ? steps.value[t + 1]
                                   : static_cast<float>(stream.normal()));
  }
  return steps;
}

void expectNear(const std::vector<float>& got, const std::vector<double>& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(got[i], wanted[i], 1e-4 * (1 + std::abs(wanted[i]))) << "at step " << i;
  }
}

/// r_t + … + γ^(n−1) r_{t+n−1} + γ^n V(s_{t+n}).
double returnOf(const Steps& steps, size_t t, size_t n, double gamma) {
  double sum = 0, factor = 1;
  for (size_t k = t; k < t + n; ++k) {
    sum += factor * steps.reward[k];
    factor *= gamma;
  }
  return sum + factor * steps.next[t + n - 1];
}

TEST(LambdaReturns, AreTheMixtureOfAllReturns) {
  Stream stream(1, "lambda");
  for (int round = 0; round < 300; ++round) {
    const Steps steps = randomSteps(stream);
    const double gamma = stream.uniform(0, 0, 1), lambda = stream.uniform(0, 0, 1);
    std::vector<double> wanted;
    for (size_t t = 0; t < steps.size(); ++t) {
      const size_t longest = steps.endOf(t) - t;
      double sum = std::pow(lambda, longest - 1) * returnOf(steps, t, longest, gamma);
      for (size_t n = 1; n < longest; ++n) {
        sum += (1 - lambda) * std::pow(lambda, n - 1) * returnOf(steps, t, n, gamma);
      }
      wanted.push_back(sum);
    }
    std::vector<float> got(steps.size());
    estimateReturns(steps.input(), gamma, lambda, got.data());
    expectNear(got, wanted);
  }
}

TEST(LambdaReturns, AreAdvantagesOnTopOfValues) {
  Stream stream(2, "lambda");
  for (int round = 0; round < 100; ++round) {
    const Steps steps = randomSteps(stream);
    std::vector<float> got(steps.size()), advantage(steps.size());
    estimateReturns(steps.input(), 0.9, 0.8, got.data());
    estimateAdvantages(steps.input(), 0.9, 0.8, advantage.data());
    std::vector<double> wanted;
    for (size_t t = 0; t < steps.size(); ++t) {
      wanted.push_back(steps.value[t] + advantage[t]);
    }
    expectNear(got, wanted);
  }
}

/// The sum of the definition: V(s_t) + Σ_k γ^(k−t) (c_t … c_{k−1}) δ_k.
double vtraceOf(const Steps& steps, size_t t, const VtraceOptions& o) {
  double sum = steps.value[t], factor = 1;
  for (size_t k = t; k < steps.endOf(t); ++k) {
    const double ratio = std::exp(static_cast<double>(steps.log_ratio[k]));
    sum += factor * std::min(o.rho_bar, ratio) *
           (steps.reward[k] + o.gamma * steps.next[k] - steps.value[k]);
    factor *= o.gamma * o.lambda * std::min(o.c_bar, ratio);
  }
  return sum;
}

TEST(Vtrace, IsTheSumOfItsDefinition) {
  Stream stream(3, "vtrace");
  for (int round = 0; round < 300; ++round) {
    const Steps steps = randomSteps(stream);
    const VtraceOptions options = {.gamma = stream.uniform(0, 0, 1),
                                   .lambda = stream.uniform(0, 0, 1),
                                   .rho_bar = stream.uniform(0, 0.5, 2),
                                   .c_bar = stream.uniform(0, 0.5, 2)};
    std::vector<double> value, advantage;
    for (size_t t = 0; t < steps.size(); ++t) {
      value.push_back(vtraceOf(steps, t, options));
      const bool last = t + 1 == steps.endOf(t);
      const double after = last ? steps.next[t] : vtraceOf(steps, t + 1, options);
      advantage.push_back(
          std::min(options.rho_bar, std::exp(static_cast<double>(steps.log_ratio[t]))) *
          (steps.reward[t] + options.gamma * after - steps.value[t]));
    }
    std::vector<float> got_value(steps.size()), got_advantage(steps.size());
    estimateVtrace(steps.input(), steps.log_ratio.data(), options, got_value.data(),
                   got_advantage.data());
    expectNear(got_value, value);
    expectNear(got_advantage, advantage);
  }
}

TEST(Vtrace, OnItsOwnPolicyGivesLambdaReturns) {
  Stream stream(4, "vtrace");
  Steps steps = randomSteps(stream);
  std::fill(steps.log_ratio.begin(), steps.log_ratio.end(), 0.0F);
  std::vector<float> value(steps.size()), advantage(steps.size()), target(steps.size());
  estimateVtrace(steps.input(), steps.log_ratio.data(), {.gamma = 0.9, .lambda = 0.7}, value.data(),
                 advantage.data());
  estimateReturns(steps.input(), 0.9, 0.7, target.data());
  expectNear(value, {target.begin(), target.end()});
}

}  // namespace
}  // namespace fdg::rl
