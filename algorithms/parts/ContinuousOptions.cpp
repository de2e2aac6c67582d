#include "algorithms/parts/ContinuousOptions.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

void check(const SacOptions& options) {
  const Limits sac("sac");
  sac.layers("hidden", options.hidden);
  sac.within("gamma", options.gamma, 0, 1);
  sac.count("n_step", options.n_step, 1);
  sac.above("policy_lr", options.policy_lr, 0);
  sac.above("critic_lr", options.critic_lr, 0);
  sac.part("target_rate", options.target_rate);
  sac.above("temperature", options.temperature, 0);
  sac.finite("entropy_target", options.entropy_target);
  sac.count("random_steps", options.random_steps, 0, Limits::kForever);
}

void check(const FastSacOptions& options) {
  const Limits fastsac("fastsac");
  fastsac.layers("policy_hidden", options.policy_hidden);
  fastsac.layers("critic_hidden", options.critic_hidden);
  fastsac.count("atoms", options.atoms, 2, Limits::kWidestLayer);
  fastsac.finite("value_low", options.value_low);
  fastsac.above("value_high", options.value_high, options.value_low);
  fastsac.above("reward_scale", options.reward_scale, 0);
  fastsac.within("gamma", options.gamma, 0, 1);
  fastsac.count("n_step", options.n_step, 1);
  fastsac.above("lr", options.lr, 0);
  fastsac.decay("beta1", options.beta1);
  fastsac.decay("beta2", options.beta2);
  fastsac.atLeast("weight_decay", options.weight_decay, 0);
  fastsac.part("target_rate", options.target_rate);
  fastsac.above("temperature", options.temperature, 0);
  fastsac.finite("entropy_target", options.entropy_target);
  fastsac.count("random_steps", options.random_steps, 0, Limits::kForever);
}

void check(const DpgOptions& options) {
  const Limits dpg("dpg");
  dpg.layers("hidden", options.hidden);
  dpg.within("gamma", options.gamma, 0, 1);
  dpg.count("n_step", options.n_step, 1);
  dpg.above("policy_lr", options.policy_lr, 0);
  dpg.above("critic_lr", options.critic_lr, 0);
  dpg.part("target_rate", options.target_rate);
  dpg.atLeast("smoothing", options.smoothing, 0);
  dpg.atLeast("smoothing_clip", options.smoothing_clip, 0);
  dpg.atLeast("explore_noise", options.explore_noise, 0);
  dpg.part("explore_return", options.explore_return);
  dpg.count("random_steps", options.random_steps, 0, Limits::kForever);
}

NetworkLayout squashedLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                             int64_t outputs, const std::string& kind) {
  if (spec.discrete) {
    throw UserError(spec.name +
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
