#include "algorithms/parts/ContinuousOptions.h"

#include <algorithm>
#include <cmath>

#include "algorithms/parts/Limits.h"
#include "base/ConfigError.h"

namespace fdg::rl {
namespace {

constexpr double kLargestNoise = 10;    // policies act from -1 to 1
constexpr double kMostEntropy = 0.693;  // ln 2, of a uniform action from -1 to 1

}  // namespace

void check(const SacOptions& options) {
  const Limits sac("sac");
  sac.layers("hidden", options.hidden);
  sac.within("gamma", options.gamma, 0, 1);
  sac.count("n_step", options.n_step, 1);
  sac.part("policy_lr", options.policy_lr);
  sac.part("critic_lr", options.critic_lr);
  sac.part("target_rate", options.target_rate);
  sac.above("temperature", options.temperature, 0);
  sac.within("entropy_target", options.entropy_target, -20, kMostEntropy);
  sac.count("random_steps", options.random_steps, 0, Limits::kForever);
}

void check(const FastSacOptions& options) {
  const Limits fastsac("fastsac");
  fastsac.layers("policy_hidden", options.policy_hidden);
  fastsac.layers("critic_hidden", options.critic_hidden);
  fastsac.count("atoms", options.atoms, 2, Limits::kWidestLayer);
  fastsac.within("value_low", options.value_low, -Limits::kLargest, Limits::kLargest);
  fastsac.above("value_high", options.value_high, options.value_low);
  const double largest = std::max(std::abs(options.value_low), std::abs(options.value_high));
  if (options.value_high - options.value_low <
      1e-5 * largest * static_cast<double>(options.atoms)) {
    fastsac.refuse("value_high", Limits::text(options.value_high),
                   "further above fastsac.value_low: float32 cannot tell so many atoms apart");
  }
  fastsac.above("reward_scale", options.reward_scale, 0);
  fastsac.within("gamma", options.gamma, 0, 1);
  fastsac.count("n_step", options.n_step, 1);
  fastsac.part("lr", options.lr);
  fastsac.decay("beta1", options.beta1);
  fastsac.decay("beta2", options.beta2);
  fastsac.within("weight_decay", options.weight_decay, 0, 1);
  fastsac.part("target_rate", options.target_rate);
  fastsac.above("temperature", options.temperature, 0);
  fastsac.within("entropy_target", options.entropy_target, -20, kMostEntropy);
  fastsac.count("random_steps", options.random_steps, 0, Limits::kForever);
}

void check(const DpgOptions& options) {
  const Limits dpg("dpg");
  dpg.layers("hidden", options.hidden);
  dpg.within("gamma", options.gamma, 0, 1);
  dpg.count("n_step", options.n_step, 1);
  dpg.part("policy_lr", options.policy_lr);
  dpg.part("critic_lr", options.critic_lr);
  dpg.part("target_rate", options.target_rate);
  dpg.within("smoothing", options.smoothing, 0, kLargestNoise);
  dpg.within("smoothing_clip", options.smoothing_clip, 0, kLargestNoise);
  dpg.within("explore_noise", options.explore_noise, 0, kLargestNoise);
  dpg.part("explore_return", options.explore_return);
  dpg.count("random_steps", options.random_steps, 0, Limits::kForever);
}

NetworkLayout squashedLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                             int64_t outputs, const std::string& kind) {
  if (spec.discrete) {
    throw ConfigError(spec.name +
                      " has discrete actions; this program needs continuous ones (use dqn or ppo)");
  }
  std::vector<int64_t> sizes = {denseInputs(spec)};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(outputs);
  NetworkLayout layout;
  layout.add("squashed", kind, std::move(sizes));
  return layout;
}

NetworkLayout squashedLayout(const EnvSpec& spec, const FastSacOptions& options) {
  return squashedLayout(spec, options.policy_hidden, 2 * spec.actions, "normed_silu");
}

}  // namespace fdg::rl
