// Evaluator: plays whole episodes greedily with given weights → mean return.
//
// It has environments of its own, one per episode, and builds the network from the weights' own
// layout: Q-values and logits are played by their largest, a Gaussian policy by its mean. Every
// run draws new episodes from the stream. Not thread-safe.
#pragma once

#include <limits>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/Network.h"

namespace fdg::rl {

class FDG_ROLE("evaluator") Evaluator {
 public:
  Evaluator(const std::string& env, int64_t episodes, Stream stream);
  /// Of a user's own kind: `Evaluator evaluator(environment<Corridor>(), 10, …)`.
  Evaluator(const EnvKind& kind, int64_t episodes, Stream stream);

  /// Mean return of the episodes (and their agents). Environments must end their episodes within
  /// 110,000 steps, else throws UserError.
  double run(FDG_LATEST const Weights& weights);
  /// Whether the last run gave more than every run before it.
  bool isBest() const { return is_best_; }
  /// After a run, else throws UserError: the weights of the best one, a copy.
  Weights best() const {
    layoutOf(best_);
    return {best_.flat.clone(), best_.network};
  }

  template <class A>
  void archive(A& a) {
    a(envs_, best_, best_return_, is_best_);
  }

 private:
  EnvSpec spec_;
  int64_t episodes_;
  VectorEnv envs_;
  Weights best_;
  double best_return_ = -std::numeric_limits<double>::infinity();
  bool is_best_ = false;
};

/// Greedy actions for rows of observations.
torch::Tensor actGreedily(const EnvSpec& spec, const Weights& weights,
                          const torch::Tensor& observation);

}  // namespace fdg::rl
