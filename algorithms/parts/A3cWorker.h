// A3cWorker: rollouts → one gradient for each environment, by the weights that it acted with.
//
// Environment by environment, so that the shares of replicas, one after the other, are the rows of
// the whole. Keeps nothing between calls. Not thread-safe.
#pragma once

#include "algorithms/parts/PolicyGradient.h"

namespace fdg::rl {

/// Gradients of several environments.
struct RowGradients {
  torch::Tensor flat;  ///< [rows, parameters] float32.
  torch::Tensor loss;  ///< [rows] float32.
};

class FDG_ROLE("actor") A3cWorker {
 public:
  A3cWorker(const EnvSpec& spec, const A2cOptions& options) : gradient_(spec, options) {}

  RowGradients gradients(FDG_LATEST const Weights& weights, const Rollout& rollout);

  template <class A>
  void archive(A& /*a*/) {}

 private:
  PolicyGradient gradient_;
};

}  // namespace fdg::rl
