#include "algorithms/parts/PpoOptions.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

void check(const PpoOptions& options) {
  const Limits ppo("ppo");
  ppo.layers("hidden", options.hidden);
  ppo.word("activation", options.activation, {"tanh", "relu"});
  ppo.within("gamma", options.gamma, 0, 1);
  ppo.within("lambda", options.lambda, 0, 1);
  ppo.part("lr", options.lr);
  ppo.above("clip", options.clip, 0);
  ppo.factor("value_clip", options.value_clip);
  ppo.factor("value_weight", options.value_weight);
  ppo.factor("entropy_weight", options.entropy_weight);
  ppo.factor("grad_clip", options.grad_clip);
  ppo.within("initial_log_std", options.initial_log_std, -20, 20);
}

}  // namespace fdg::rl
