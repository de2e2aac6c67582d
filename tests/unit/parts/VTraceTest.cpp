#include "algorithms/parts/VTrace.h"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/LambdaReturns.h"
#include "base/Check.h"
#include "tests/unit/parts/RandomRows.h"

namespace fdg::rl {
namespace {

struct Traced {
  std::vector<float> target, advantage;
};

Traced trace(const RandomRow& row, const std::vector<float>& log_ratio,
             const VTraceOptions& options) {
  Traced out{std::vector<float>(row.reward.size()), std::vector<float>(row.reward.size())};
  vTrace(row.input(), log_ratio.data(), options, out.target.data(), out.advantage.data());
  return out;
}

/// The sum of the paper's equation 1, step by step.
double targetOf(const RandomRow& row, const std::vector<float>& log_ratio,
                const VTraceOptions& options, size_t s) {
  double sum = row.value[s], factor = 1;
  for (size_t t = s; t < row.reward.size(); ++t) {
    const double ratio = std::exp(double{log_ratio[t]});
    sum += factor * std::min(options.rho_limit, ratio) *
           (row.reward[t] + options.gamma * row.next_value[t] - row.value[t]);
    factor *= options.gamma * options.lambda * std::min(options.c_limit, ratio);
    if (row.ended[t]) {
      break;
    }
  }
  return sum;
}

TEST(VTrace, AgreesWithThePapersSum) {
  Stream stream(1, "vtrace");
  for (int round = 0; round < 300; ++round) {
    const RandomRow row = randomRow(stream);
    std::vector<float> log_ratio;
    for (int64_t t = 0; t < row.steps(); ++t) {
      log_ratio.push_back(static_cast<float>(stream.normal()));
    }
    VTraceOptions options{.gamma = stream.uniform(0, 0, 1), .lambda = stream.uniform(0, 0, 1)};
    options.c_limit = stream.uniform(0, 0.5, 2);
    options.rho_limit = options.c_limit + stream.uniform(0, 0, 1);
    const Traced got = trace(row, log_ratio, options);
    for (size_t t = 0; t < row.reward.size(); ++t) {
      EXPECT_NEAR(got.target[t], targetOf(row, log_ratio, options, t), 1e-4) << "at step " << t;
      const bool last = row.ended[t] || t + 1 == row.reward.size();
      const double next = last ? row.next_value[t] : targetOf(row, log_ratio, options, t + 1);
      const double rho = std::min(options.rho_limit, std::exp(double{log_ratio[t]}));
      EXPECT_NEAR(got.advantage[t], rho * (row.reward[t] + options.gamma * next - row.value[t]),
                  1e-4)
          << "at step " << t;
    }
  }
}

TEST(VTrace, OnPolicyTargetsAreLambdaReturns) {
  Stream stream(2, "vtrace");
  for (int round = 0; round < 100; ++round) {
    const RandomRow row = randomRow(stream);
    const VTraceOptions options{.gamma = stream.uniform(0, 0, 1), .lambda = stream.uniform(0, 0, 1)};
    const Traced got = trace(row, std::vector<float>(row.reward.size()), options);
    std::vector<float> returns(row.reward.size());
    lambdaReturns(row.input(), options.gamma, options.lambda, returns.data());
    for (size_t t = 0; t < returns.size(); ++t) {
      EXPECT_NEAR(got.target[t], returns[t], 1e-5) << "at step " << t;
    }
  }
}

TEST(VTrace, RefusesARhoBelowC) {
  Stream stream(3, "vtrace");
  const RandomRow row = randomRow(stream);
  EXPECT_THROW(trace(row, std::vector<float>(row.reward.size()), {.rho_limit = 0.5}), UserError);
}

}  // namespace
}  // namespace fdg::rl
