#include "algorithms/parts/PolicyHead.h"

#include <cmath>
#include <numbers>

namespace fdg::rl {

namespace {

// Plain pointers: a typed one of a tensor is looked up and checked, for each sample anew.
int64_t chosen(const ActionTaken& taken) {
  return static_cast<const int64_t*>(taken.actions.const_data_ptr())[taken.at];
}

const float* drawn(const ActionTaken& taken, int64_t actions) {
  return static_cast<const float*>(taken.actions.const_data_ptr()) + taken.at * actions;
}

}  // namespace

PolicyHead::PolicyHead(const EnvSpec& spec, const NetworkLayout& layout)
    : actions_(spec.actions), log_std_(spec.discrete ? -1 : layout.block("log_std").offset) {}

void PolicyHead::load(const float* parameters) {
  if (log_std_ >= 0) {
    deviations_.load(parameters + log_std_, actions_);
  }
}

Likelihood PolicyHead::likelihood(const ActionTaken& taken) const {
  if (log_std_ < 0) {
    const float total = logSumExp(taken.output, actions_);
    const int64_t action = chosen(taken);
    Likelihood found = {static_cast<double>(taken.output[action] - total), 0};
    for (int64_t a = 0; a < actions_; ++a) {
      const double log_prob = taken.output[a] - total;
      found.entropy -= std::exp(log_prob) * log_prob;
    }
    return found;
  }
  const float* action = drawn(taken, actions_);
  Likelihood found = {gaussianLogProb(taken.output, deviations_, action), 0};
  for (const float log : deviations_.logs) {
    found.entropy += 0.5 + 0.5 * std::log(2 * std::numbers::pi) + log;
  }
  return found;
}

void PolicyHead::backward(const ActionTaken& taken, const Likelihood& likelihood,
                          const PolicyTerm& term, float* d_output, float* gradient) const {
  if (log_std_ < 0) {
    const float total = logSumExp(taken.output, actions_);
    const int64_t action = chosen(taken);
    for (int64_t a = 0; a < actions_; ++a) {
      const double log_prob = taken.output[a] - total;
      const double p = std::exp(log_prob);
      const double d_policy = term.d_log_prob * ((a == action ? 1.0 : 0.0) - p);
      const double d_entropy = -p * (log_prob + likelihood.entropy);
      d_output[a] = static_cast<float>(term.share * (d_policy - term.entropy_weight * d_entropy));
    }
    return;
  }
  const float* action = drawn(taken, actions_);
  for (int64_t a = 0; a < actions_; ++a) {
    const double deviation = deviations_.precise[static_cast<size_t>(a)];
    const double z = (action[a] - taken.output[a]) / deviation;
    d_output[a] = static_cast<float>(term.share * term.d_log_prob * z / deviation);
    gradient[log_std_ + a] +=
        static_cast<float>(term.share * (term.d_log_prob * (z * z - 1) - term.entropy_weight));
  }
}

}  // namespace fdg::rl
