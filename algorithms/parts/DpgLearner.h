// DpgLearner: batches of transitions → gradients of critics and of a deterministic policy → new
// weights: DDPG (Lillicrap et al. 2016), and TD3 (Fujimoto et al. 2018) with twin critics and
// smoothed targets.
//
//   learner.criticGradients(batch), then applyCritics: Q_i to r + γ^k min Q'(s', π'(s') + noise)
//   learner.policyGradients(batch), then applyPolicy:  π to more Q_1(s, π(s))
//   learner.moveTargets()                              Q' and π'
// Each applies the mean of what the replicas found. Row r of a batch draws its noise from row r of
// the stream, whichever replica owns it. Not thread-safe.
#pragma once

#include "algorithms/parts/ContinuousOptions.h"
#include "algorithms/parts/QCritics.h"

namespace fdg::rl {

class FDG_ROLE("learner") DpgLearner {
 public:
  /// `rows`: of a batch. Throws UserError for options out of range.
  DpgLearner(const EnvSpec& spec, Rows rows, const DpgOptions& options, Stream stream);

  /// Of the policy; a copy.
  Weights weights() const { return makeWeights(online_, layout_); }
  /// Weighted by the rows of the batch, which may be 0.
  Weighted<Gradients> criticGradients(const Batch& batch);
  void applyCritics(const Weighted<Gradients>& gradients);
  Weighted<Gradients> policyGradients(const Batch& batch);
  void applyPolicy(const Weighted<Gradients>& gradients);
  void moveTargets();

  /// Of the critics, at the last applyCritics.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(stream_, critics_, online_, target_, optimizer_, loss_);
  }

 private:
  /// Actions of the policy with these parameters, [rows, dimensions].
  std::vector<float> act(const std::vector<float>& parameters, const torch::Tensor& observation);

  EnvSpec spec_;
  Rows rows_;
  DpgOptions options_;
  NetworkLayout layout_;
  MlpPass policy_;
  Stream stream_;
  QCritics critics_;
  std::vector<float> online_, target_;
  Adam optimizer_;
  double loss_ = 0;
};

}  // namespace fdg::rl
