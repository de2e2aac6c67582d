// SacLearner: batches of transitions → gradients of twin critics, policy and temperature → new
// weights (Haarnoja et al. 2018).
//
//   learner.criticGradients(batch), then applyCritics:
//     Q_i to r + γ^k (min Q'(s', a') − α log π(a'))
//   learner.policyGradients(batch), then applyPolicy:
//     π to more min Q(s, a) − α log π(a), and α to where the entropy is what it should be
//   learner.moveTargets()
//
// Each applies the mean of what the replicas found. Row r of a batch draws its actions from row r
// of the stream, whichever replica owns it. Not thread-safe.
#pragma once

#include "algorithms/parts/ContinuousOptions.h"
#include "algorithms/parts/SquashedPolicy.h"

namespace fdg::rl {

class FDG_ROLE("learner") SacLearner {
 public:
  /// `rows`: of a batch. Throws UserError for options out of range.
  SacLearner(const EnvSpec& spec, Rows rows, const SacOptions& options, Stream stream);

  /// Of the policy; a copy.
  Weights weights() const { return policy_.weights(); }
  /// Weighted by the rows of the batch, which may be 0.
  Weighted<Gradients> criticGradients(const Batch& batch);
  void applyCritics(const Weighted<Gradients>& gradients);
  /// By the policy's parameters and, at the end, log α. Weighted like the critics'.
  Weighted<Gradients> policyGradients(const Batch& batch);
  void applyPolicy(const Weighted<Gradients>& gradients);
  void moveTargets() { critics_.moveTargets(options_.target_rate); }

  double temperature() const { return policy_.temperature(); }
  /// Of the critics, at the last applyCritics.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(stream_, critics_, policy_, loss_);
  }

 private:
  SacOptions options_;
  Stream stream_;
  QCritics critics_;
  SquashedPolicy policy_;
  double loss_ = 0;
};

}  // namespace fdg::rl
