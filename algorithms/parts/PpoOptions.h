// What the actor and the learner of PPO agree on: options, network layout, the rollout between
// them.
#pragma once

#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/Network.h"

namespace fdg::rl {

struct PpoOptions {
  std::vector<int64_t> hidden = {64, 64};  ///< Hidden layers of actor and critic, tanh.
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
  double initial_log_std = 0.0;  ///< Continuous actions: logarithm of the first deviation.
};

/// "actor tanh …; critic tanh …", and "log_std vector …" for continuous actions.
NetworkLayout ppoLayout(const EnvSpec& spec, const PpoOptions& options);

/// What a number of steps of some environments gave. Every tensor is [rows, time, …].
struct Rollout {
  torch::Tensor observation;
  torch::Tensor action;    ///< int64, or float32 as drawn (before the clip to the bounds).
  torch::Tensor log_prob;  ///< Of the action when it was drawn.
  torch::Tensor value;     ///< V(s_t).
  torch::Tensor
      next_value;  ///< V(s_{t+1}); 0 where terminated, V(final observation) where truncated.
  torch::Tensor reward;
  torch::Tensor ended;  ///< bool: terminated or truncated.
};

}  // namespace fdg::rl
