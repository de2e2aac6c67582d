#include "algorithms/parts/ContinuousOptions.h"

namespace fdg::rl {

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
