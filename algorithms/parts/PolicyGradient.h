// PolicyGradient: a rollout → the gradient of the actor-critic loss (Mnih et al. 2016).
//
// Loss: −A log π(a|s) − entropy_weight · H + value_weight · ½ (V(s) − R)², mean over the samples,
// with A = R − V as it was when acting, where R is the n-step return (λ = 1) or GAE's. Not
// thread-safe.
#pragma once

#include "algorithms/parts/A2cOptions.h"
#include "algorithms/parts/PolicyHead.h"

namespace fdg::rl {

/// The text of the layout that A2C and A3C learn.
FDG_PURE std::string actorCritic(const EnvSpec& spec, const A2cOptions& options);

class PolicyGradient {
 public:
  PolicyGradient(const EnvSpec& spec, const A2cOptions& options);

  const NetworkLayout& layout() const { return layout_; }
  /// Writes the gradient by all parameters to `gradient`, which is 0 before; returns the loss.
  double find(const std::vector<float>& parameters, const Rollout& rollout, float* gradient);

 private:
  A2cOptions options_;
  NetworkLayout layout_;
  MlpPass actor_;
  MlpPass critic_;
  PolicyHead head_;
};

/// The rate of a run of `total` updates that falls linearly to 0, if it shall, at update `done`.
double annealed(const A2cOptions& options, int64_t done, int64_t total);

}  // namespace fdg::rl
