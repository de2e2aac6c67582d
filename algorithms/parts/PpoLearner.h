// PpoLearner: rollouts → clipped policy gradients (Schulman et al. 2017) → new weights.
//
// Works on its share of the rows: a minibatch is a set of samples of *all* rows × time, drawn from
// the stream in the same way on every replica; each takes those that lie in its rows. Its gradient
// is weighted by their number, which may be 0, so that the mean over replicas is the gradient of
// the whole minibatch. With the networks of several agents (centralCritic) a sample is a world at a
// time with all its agents; the mean is over agents too, and each network gets its agents' part.
//
//   learner.begin(rollout, progress);
//   for each epoch:      learner.shuffle();
//   for each minibatch:  moments = learner.moments(k);              sum them over replicas
//                        grads = learner.gradients(k, moments);     average them over replicas
//                        learner.apply(grads);
//   seen = learner.seen();                                         sum it over replicas
//   learner.absorb(seen);                                          for the next rollout
// Not thread-safe.
#pragma once

#include "algorithms/envs/TensorPool.h"
#include "algorithms/parts/AgentNetworks.h"
#include "algorithms/parts/DqnLearner.h"
#include "algorithms/parts/Normaliser.h"
#include "algorithms/parts/PolicyHead.h"
#include "algorithms/parts/PpoOptions.h"

namespace fdg::rl {

/// The text of the layout that PPO learns.
FDG_PURE std::string actorCritic(const EnvSpec& spec, const PpoOptions& options);

/// Sums over the advantages of a minibatch.
struct Moments {
  double count = 0;
  double sum = 0;
  double squares = 0;

  double mean() const;
  /// Unbiased; 0 for fewer than two samples.
  double deviation() const;
};

class FDG_ROLE("learner") PpoLearner {
 public:
  /// `minibatches`: parts into which the samples of a rollout are dealt, ≥ 1.
  PpoLearner(const EnvSpec& spec, Rows rows, int64_t minibatches, const PpoOptions& options,
             Stream stream);
  /// `networks`: a layout's text.
  PpoLearner(const EnvSpec& spec, Rows rows, int64_t minibatches, const std::string& networks,
             const PpoOptions& options, Stream stream);

  /// A copy.
  Weights weights() const { return makeWeights(parameters_, layout_); }
  /// Takes in a rollout of the learner's rows and estimates its advantages. `progress` in [0, 1]
  /// is how far the run has come.
  void begin(const Rollout& rollout, double progress);
  /// Deals the samples anew.
  void shuffle();
  Moments moments(int64_t minibatch) const;
  /// Of the minibatch's mean loss, with advantages normalised by the moments.
  Weighted<Gradients> gradients(int64_t minibatch, const Moments& moments);
  void apply(const Weighted<Gradients>& gradients);
  /// What the rollout adds to the moments of observations and returns; empty where neither is used.
  torch::Tensor seen() const;
  void absorb(const torch::Tensor& seen);
  /// Of the last apply.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(stream_, parameters_, optimizer_, order_, rate_, loss_);
    a(data_, advantage_, steps_);
    a(observed_, returned_, returns_, rollout_returns_);
  }

 private:
  struct Sample;
  std::vector<int64_t> samplesOf(int64_t minibatch) const;
  /// Notes the discounted returns up to every step and scales the rewards.
  void scaleRewards();
  void gatherObservations(const std::vector<int64_t>& samples);
  double policyLoss(const Sample& sample, float* d_output, float* gradient) const;
  double valueLoss(const Sample& sample, float* d_output) const;

  EnvSpec spec_;
  Rows rows_;
  int64_t minibatches_;
  PpoOptions options_;
  NetworkLayout layout_;
  AgentNetworks actor_;
  AgentNetworks critic_;
  PolicyHead head_;
  Stream stream_;
  std::vector<float> parameters_;
  Adam optimizer_;
  TensorPool gradients_;
  Rollout data_;
  std::vector<float> advantage_;
  std::vector<int64_t> order_;  // of all worlds (plain: rows) × time
  int64_t steps_ = 0;
  std::vector<float> observations_;
  ScaledObservations scaled_;
  Normaliser observed_;
  Normaliser returned_{1};
  std::vector<float> returns_;          // discounted, up to now, of each row
  std::vector<float> rollout_returns_;  // the same at every step of the rollout
  double rate_ = 0;
  double loss_ = 0;
};

}  // namespace fdg::rl
