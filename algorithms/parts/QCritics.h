// QCritics: one or two networks Q(s, a) of continuous actions, their targets and their optimiser.
//
// Two critics take the smaller of their values, since the larger is mostly an overestimate
// (Fujimoto et al. 2018). Loss: ½ (Q_i(s, a) − wanted)², summed over the critics, mean over the
// rows. Actions are in the policy's range [−1, 1]; those of a batch are brought there from the
// environment's bounds. Not thread-safe.
#pragma once

#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/DqnLearner.h"
#include "algorithms/parts/Network.h"
#include "algorithms/parts/Transitions.h"

namespace fdg::rl {

/// What the critics say of rows of actions.
struct Rating {
  std::vector<float> value;     ///< [rows]
  std::vector<float> d_action;  ///< [rows, dimensions]: derivative of the value by the action.
};

class QCritics {
 public:
  /// `count`: 1 or 2. Weights are drawn from row 0 of the stream.
  QCritics(const EnvSpec& spec, const std::vector<int64_t>& hidden, int64_t count, Stream& stream);

  /// R + discount · (min_i Q_i'(s', next_action) + bonus) with the target networks Q'; no bonus if
  /// it is empty.
  std::vector<float> wanted(const Transitions& rows, const std::vector<float>& next_action,
                            const std::vector<float>& bonus);
  /// Of the loss, weighted by the rows, which may be 0.
  Weighted<Gradients> gradients(const Transitions& rows, const std::vector<float>& wanted);
  /// Of the online networks: the smaller value, or that of the first critic.
  Rating rate(const torch::Tensor& observation, const std::vector<float>& action, bool smaller);

  void apply(const Weighted<Gradients>& gradients, double learning_rate);
  /// Moves the target networks towards the online ones.
  void moveTargets(double rate) { follow(online_, rate, target_); }

  template <class A>
  void archive(A& a) {
    a(online_, target_, optimizer_);
  }

 private:
  int64_t offset(size_t critic) const { return layout_.blocks()[critic].offset; }

  EnvSpec spec_;
  NetworkLayout layout_;
  std::vector<MlpPass> passes_;  // one per critic
  std::vector<float> online_, target_;
  Adam optimizer_;
  std::vector<float> joined_;
};

/// "critic1 relu 4 64 64 1; critic2 relu 4 64 64 1"
NetworkLayout criticLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden, int64_t count,
                           int64_t outputs, const std::string& kind);
/// Observation and action of each row, side by side: what critics read. Valid until the next call.
const float* join(const EnvSpec& spec, const torch::Tensor& observation,
                  const std::vector<float>& action, std::vector<float>& joined);
/// Adds what lies in the actions' place to `actions` [rows, dimensions].
void addActions(const EnvSpec& spec, const std::vector<float>& joined, std::vector<float>& actions);
/// The batch's actions in the policy's range.
std::vector<float> policyActions(const EnvSpec& spec, const torch::Tensor& action);

}  // namespace fdg::rl
