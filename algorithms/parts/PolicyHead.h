// PolicyHead: a network's outputs for a state as a policy (softmax, or Gaussian with deviations
// that do not depend on the state) → log probability of the action taken, entropy, and a loss's
// derivatives by the outputs. Pure; float64 inside.
#pragma once

#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/Rollout.h"

namespace fdg::rl {

/// An action and what the policy's network gives for the state it was taken in.
struct ActionTaken {
  const float* output;  ///< Logits or means.
  const torch::Tensor& actions;
  int64_t at;  ///< Place among the actions.
};

struct Likelihood {
  double log_prob = 0;
  double entropy = 0;
};

/// One sample's part of a loss: share · (f(log_prob) − entropy_weight · entropy).
struct PolicyTerm {
  double share;
  double d_log_prob;  ///< f'
  double entropy_weight;
};

class PolicyHead {
 public:
  PolicyHead(const EnvSpec& spec, const NetworkLayout& layout);

  /// Takes the deviations out of the policy's parameters. Must come before the others, and again
  /// when the parameters have changed.
  void load(const float* parameters);
  Likelihood likelihood(const ActionTaken& taken) const;
  /// Writes the derivatives by the outputs, adds those by the log deviations to `gradient` (of all
  /// parameters).
  void backward(const ActionTaken& taken, const Likelihood& likelihood, const PolicyTerm& term,
                float* d_output, float* gradient) const;

 private:
  int64_t actions_;
  int64_t log_std_;  // its offset; −1 for discrete actions
  Deviations deviations_;
};

}  // namespace fdg::rl
