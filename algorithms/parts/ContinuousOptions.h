// What the actors and learners of SAC, FastSAC, TD3 and DDPG agree on: options, and the layout of
// policies whose actions a tanh squashes into [−1, 1].
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

struct FastSacOptions {
  std::vector<int64_t> policy_hidden = {512, 256, 128};  ///< Policy's hidden layers, normed SiLU.
  std::vector<int64_t> critic_hidden = {768, 384, 192};  ///< Critics' hidden layers, normed SiLU.
  int64_t atoms = 101;                ///< Values that a critic's distribution is over.
  double value_low = -20;             ///< The least of them.
  double value_high = 20;             ///< The largest.
  double reward_scale = 1;            ///< Rewards are multiplied by it before critics see them.
  double gamma = 0.97;                ///< Discount per step.
  int64_t n_step = 1;                 ///< Rewards per transition.
  double lr = 3e-4;                   ///< Learning rate of AdamW: policy, temperature, critics.
  double beta1 = 0.9;                 ///< Decay of AdamW's mean of gradients.
  double beta2 = 0.95;                ///< Decay of AdamW's mean of squares.
  double weight_decay = 1e-3;         ///< AdamW's, of policy and critics.
  double target_rate = 0.125;         ///< How far the target critics move at each update.
  double temperature = 0.01;          ///< α, the worth of entropy, at the start.
  bool automatic_temperature = true;  ///< α steers the entropy to entropy_target.
  double entropy_target = 0.0;        ///< Per action dimension, for actions in [−1, 1].
  int64_t random_steps = 10;          ///< Steps of the program with uniform actions.
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

/// Each throws UserError that names the field, for what is out of range.
void check(const SacOptions& options);
void check(const FastSacOptions& options);
void check(const DpgOptions& options);

/// "squashed relu 3 64 64 2": the policy's network, whose first outputs go through a tanh. Throws
/// UserError for discrete actions.
NetworkLayout squashedLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                             int64_t outputs, const std::string& kind = "relu");
/// FastSAC's policy: means and log deviations.
NetworkLayout squashedLayout(const EnvSpec& spec, const FastSacOptions& options);

}  // namespace fdg::rl
