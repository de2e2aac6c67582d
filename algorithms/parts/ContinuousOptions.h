// What the actors and learners of SAC, TD3 and DDPG agree on: options, and the layout of policies
// whose actions a tanh squashes into [−1, 1].
#pragma once

#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/Network.h"

namespace fdg::rl {

struct SacOptions {
  std::vector<int64_t> hidden = {64, 64};  ///< Hidden layers of policy and critics, ReLU.
  double gamma = 0.99;                     ///< Discount per step.
  int64_t n_step = 1;                      ///< Rewards per transition.
  double policy_lr = 1e-3;                 ///< Learning rate of Adam: policy and temperature.
  double critic_lr = 1e-3;                 ///< Learning rate of Adam: critics.
  double target_rate = 0.005;              ///< How far the target critics move each time.
  double temperature = 1.0;                ///< α, the worth of entropy, at the start.
  bool automatic_temperature = true;       ///< α steers the entropy to entropy_target.
  double entropy_target = -1.0;            ///< Per action dimension, for actions in [−1, 1].
  int64_t random_steps = 250;              ///< Steps of the program with uniform actions.
};

/// Noise is in the policy's range: 1 is half the way between an action's bounds.
struct DpgOptions {
  std::vector<int64_t> hidden = {64, 64};  ///< Hidden layers of policy and critics, ReLU.
  double gamma = 0.99;                     ///< Discount per step.
  int64_t n_step = 1;                      ///< Rewards per transition.
  double policy_lr = 1e-3;                 ///< Learning rate of Adam: policy.
  double critic_lr = 1e-3;                 ///< Learning rate of Adam: critics.
  double target_rate = 0.005;              ///< How far the target networks move each time.
  bool twin = false;                       ///< Two critics; the smaller value counts.
  double smoothing = 0.0;                  ///< Deviation of the noise on the targets' actions.
  double smoothing_clip = 0.5;             ///< Largest such noise.
  double explore_noise = 0.1;              ///< Deviation of the noise on actions.
  double explore_return = 1.0;             ///< Part of it that is gone after a step.
  int64_t random_steps = 250;              ///< Steps of the program with uniform actions.
};

/// "squashed relu 3 64 64 2": the policy's network, whose first outputs go through a tanh. Throws
/// UserError for discrete actions.
NetworkLayout squashedLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                             int64_t outputs);

}  // namespace fdg::rl
