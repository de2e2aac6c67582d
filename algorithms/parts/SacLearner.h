// SacLearner: batches of transitions → gradients of twin critics, policy and temperature → new
// weights (Haarnoja et al. 2018).
//
//   learner.criticGradients(batch), then applyCritics: Q_i to r + γ^k (min Q'(s', a') − α log
//   π(a')) learner.policyGradients(batch), then applyPolicy:  π to more min Q(s, a) − α log π(a),
//   and α to
//                                                      where the entropy is what it should be
//   learner.moveTargets()
// Each applies the mean of what the replicas found. Row r of a batch draws its actions from row r
// of the stream, whichever replica owns it. Not thread-safe.
#pragma once

#include "algorithms/parts/ContinuousOptions.h"
#include "algorithms/parts/QCritics.h"

namespace fdg::rl {

class FDG_ROLE("learner") SacLearner {
 public:
  /// `rows`: of a batch. Throws UserError for options out of range.
  SacLearner(const EnvSpec& spec, Rows rows, const SacOptions& options, Stream stream);

  /// Of the policy; a copy.
  Weights weights() const;
  /// Weighted by the rows of the batch, which may be 0.
  Weighted<Gradients> criticGradients(const Batch& batch);
  void applyCritics(const Weighted<Gradients>& gradients);
  /// By the policy's parameters and, at the end, log α. Weighted like the critics'.
  Weighted<Gradients> policyGradients(const Batch& batch);
  void applyPolicy(const Weighted<Gradients>& gradients);
  void moveTargets() { critics_.moveTargets(options_.target_rate); }

  double temperature() const;
  /// Of the critics, at the last applyCritics.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(stream_, critics_, parameters_, optimizer_, loss_);
  }

 private:
  /// Actions drawn for rows of observations.
  struct Drawn {
    std::vector<float> action;     // [rows, dimensions]
    std::vector<float> spread;     // [rows, dimensions]: what was drawn minus the mean
    std::vector<bool> free;        // [rows, dimensions]: the deviation was not at its bound
    std::vector<double> log_prob;  // [rows]
  };
  Drawn draw(const torch::Tensor& observation);
  /// The policy's loss by its network's outputs.
  std::vector<float> byOutputs(const Drawn& drawn, const Rating& rating) const;

  EnvSpec spec_;
  Rows rows_;
  SacOptions options_;
  NetworkLayout layout_;  // of the policy and log α
  MlpPass policy_;
  Stream stream_;
  QCritics critics_;
  std::vector<float> parameters_;
  Adam optimizer_;
  double loss_ = 0;
};

}  // namespace fdg::rl
