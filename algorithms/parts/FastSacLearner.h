// FastSacLearner: batches of transitions → gradients of distributional twin critics, policy and
// temperature → new weights: SAC for many environments and large batches (Seo et al. 2025).
//
//   learner.criticGradients(batch), then applyCritics:
//     the distributions of Q_i to those of r + γ^k (Q_i'(s', a') − α log π(a'))
//   learner.moveTargets()
//   learner.policyGradients(batch), then applyPolicy:
//     π to more mean Q(s, a) − α log π(a), and α to where the entropy is what it should be
//
// Each applies the mean of what the replicas found. Row r of a batch draws its actions from row r
// of the stream, whichever replica owns it. Not thread-safe.
#pragma once

#include "algorithms/parts/C51Critics.h"
#include "algorithms/parts/SquashedPolicy.h"

namespace fdg::rl {

class FDG_ROLE("learner") FastSacLearner {
 public:
  /// `rows`: of a batch. Throws UserError for options out of range.
  FastSacLearner(const EnvSpec& spec, Rows rows, const FastSacOptions& options, Stream stream);

  /// Of the policy; a copy.
  Weights weights() const { return policy_.weights(); }
  /// Of the critics and their targets; a copy.
  Weights criticWeights() const { return critics_.weights(); }
  /// Weighted by the rows of the batch, which may be 0.
  Weighted<Gradients> criticGradients(const Batch& batch);
  void applyCritics(const Weighted<Gradients>& gradients);
  void moveTargets() { critics_.moveTargets(); }
  /// By the policy's parameters and, at the end, log α. Weighted like the critics'.
  Weighted<Gradients> policyGradients(const Batch& batch);
  void applyPolicy(const Weighted<Gradients>& gradients);

  double temperature() const { return policy_.temperature(); }
  /// Of the critics, at the last applyCritics.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(stream_, critics_, policy_, loss_);
  }

 private:
  double lr_;
  Stream stream_;
  C51Critics critics_;
  SquashedPolicy policy_;
  double loss_ = 0;
};

}  // namespace fdg::rl
