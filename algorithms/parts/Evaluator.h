// Evaluator: plays whole episodes greedily with given weights → mean return.
//
// It has environments of its own, one per episode, and builds the network from the weights' own
// layout: Q-values and logits are played by their largest, a Gaussian policy by its mean. Every
// run draws new episodes from the stream. Not thread-safe.
#pragma once

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/Network.h"

namespace fdg::rl {

class FDG_ROLE("evaluator") Evaluator {
 public:
  Evaluator(const std::string& env, int64_t episodes, Stream stream);

  /// Mean return of the episodes. Environments must end their episodes within 110,000 steps, else
  /// throws UserError.
  double run(FDG_LATEST const Weights& weights);

  template <class A>
  void archive(A& a) {
    a(envs_);
  }

 private:
  EnvSpec spec_;
  int64_t episodes_;
  VectorEnv envs_;
};

/// Greedy actions for rows of observations.
torch::Tensor actGreedily(const EnvSpec& spec, const Weights& weights,
                          const torch::Tensor& observation);

}  // namespace fdg::rl
