// A2cLearner: rollouts of all environments → one gradient of the actor-critic loss → new weights.
//
// Several learners each take the rollouts of their rows; the mean of their gradients, weighted by
// the rows, is the gradient of all. Not thread-safe.
#pragma once

#include "algorithms/parts/DqnLearner.h"
#include "algorithms/parts/PolicyGradient.h"

namespace fdg::rl {

class FDG_ROLE("learner") A2cLearner {
 public:
  /// `updates`: of the whole run, over which the learning rate falls.
  A2cLearner(const EnvSpec& spec, int64_t updates, const A2cOptions& options, Stream stream);

  /// A copy.
  Weights weights() const { return makeWeights(parameters_, gradient_.layout()); }
  /// Weighted by the rollout's rows, which may be 0.
  Weighted<Gradients> gradients(const Rollout& rollout);
  void apply(const Weighted<Gradients>& gradients);
  /// Of the last apply.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(parameters_, optimizer_, done_, loss_);
  }

 private:
  A2cOptions options_;
  int64_t updates_;
  PolicyGradient gradient_;
  std::vector<float> parameters_;
  RmsProp optimizer_;
  int64_t done_ = 0;
  double loss_ = 0;
};

}  // namespace fdg::rl
