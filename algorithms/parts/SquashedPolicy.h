// SquashedPolicy: a Gaussian policy squashed by a tanh and the temperature of its entropy, as
// learners have them: observations → drawn actions → gradients by what critics say of these → new
// weights (Haarnoja et al. 2018).
//
// Row r draws from row r of the stream, whichever replica owns it. The gradient of log α travels as
// the last element of the policy's. Not thread-safe: a gradient belongs to the last draw.
#pragma once

#include "algorithms/parts/QCritics.h"

namespace fdg::rl {

struct SquashedPolicyOptions {
  double temperature;          ///< α at the start.
  bool automatic_temperature;  ///< α steers the entropy to entropy_target.
  double entropy_target;       ///< Per action dimension, for actions in [−1, 1].
  double beta1 = 0.9;          ///< Adam's.
  double beta2 = 0.999;
  double weight_decay = 0;  ///< AdamW's, of the network alone.
};

class SquashedPolicy {
 public:
  /// Weights are drawn from row 0 of the stream. The temperature must be above 0.
  SquashedPolicy(const EnvSpec& spec, Rows rows, NetworkLayout layout,
                 const SquashedPolicyOptions& options, Stream& stream);

  /// A copy, without the temperature.
  Weights weights() const;
  double temperature() const;

  /// Actions for rows of observations.
  struct Drawn {
    std::vector<float> action;     // [rows, dimensions]
    std::vector<float> spread;     // [rows, dimensions]: what was drawn minus the mean
    std::vector<bool> free;        // [rows, dimensions]: the deviation was not at its bound
    std::vector<double> log_prob;  // [rows]
  };
  Drawn draw(const torch::Tensor& observation, Stream& stream);
  /// −α log π of each row.
  std::vector<float> bonus(const Drawn& drawn) const;
  /// Of the mean of α log π − value and, at the end, of log α; of actions drawn in these
  /// observations last. Weighted by the rows, which may be 0.
  Weighted<Gradients> gradients(const torch::Tensor& observation, const Drawn& drawn,
                                const Rating& rating);
  void apply(const Weighted<Gradients>& gradients, double learning_rate);

  template <class A>
  void archive(A& a) {
    a(parameters_, optimizer_);
  }

 private:
  /// The loss by the network's outputs.
  std::vector<float> byOutputs(const Drawn& drawn, const Rating& rating) const;

  EnvSpec spec_;
  Rows rows_;
  SquashedPolicyOptions options_;
  NetworkLayout layout_;
  MlpPass network_;
  std::vector<float> parameters_;  // and log α
  Adam optimizer_;
};

}  // namespace fdg::rl
