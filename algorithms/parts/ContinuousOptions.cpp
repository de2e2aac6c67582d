#include "algorithms/parts/ContinuousOptions.h"

namespace fdg::rl {

NetworkLayout squashedLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                             int64_t outputs) {
  if (spec.discrete) {
    throw UserError(spec.name +
                    " has discrete actions; this program needs continuous ones (use dqn or ppo)");
  }
  std::vector<int64_t> sizes = {spec.observationSize()};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(outputs);
  NetworkLayout layout;
  layout.add("squashed", "relu", std::move(sizes));
  return layout;
}

}  // namespace fdg::rl
