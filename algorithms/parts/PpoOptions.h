// What a user can set of PPO.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fdg::rl {

struct PpoOptions {
  std::vector<int64_t> hidden = {64, 64};  ///< Hidden layers of actor and critic.
  std::string activation = "tanh";         ///< Of the hidden layers: tanh or relu.
  double gamma = 0.99;                     ///< Discount per step.
  double lambda = 0.95;                    ///< Of generalised advantage estimation.
  double lr = 2.5e-3;                      ///< Learning rate of Adam at the start.
  bool anneal = true;                      ///< The rate falls linearly to 0 over the run.
  double clip = 0.2;                       ///< Largest relative change of an action's probability.
  double value_clip = 0.0;                 ///< Largest change of a value in one iteration; 0: any.
  double value_weight = 0.5;               ///< Of the value loss.
  double entropy_weight = 0.01;            ///< Of the entropy bonus.
  double grad_clip = 0.5;                  ///< Largest global norm of a gradient; 0: any.
  bool normalise_advantages = true;        ///< Over each minibatch, on all replicas together.
  bool normalise_observations = false;     ///< By their running moments; clipped to ±10.
  bool scale_rewards = false;  ///< By the running deviation of discounted returns; clipped to ±10.
  double initial_log_std = 0.0;  ///< Continuous actions: logarithm of the first deviation.
};

/// Throws UserError that names the field, for what is out of range.
void check(const PpoOptions& options);

}  // namespace fdg::rl
