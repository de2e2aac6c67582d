#include "algorithms/parts/A2cOptions.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

void check(const A2cOptions& options) {
  const Limits a2c("a2c");
  a2c.layers("hidden", options.hidden);
  a2c.word("activation", options.activation, {"tanh", "relu"});
  a2c.within("gamma", options.gamma, 0, 1);
  a2c.within("lambda", options.lambda, 0, 1);
  a2c.part("lr", options.lr);
  a2c.decay("decay", options.decay);
  a2c.part("epsilon", options.epsilon);
  a2c.factor("value_weight", options.value_weight);
  a2c.factor("entropy_weight", options.entropy_weight);
  a2c.factor("grad_clip", options.grad_clip);
  a2c.within("initial_log_std", options.initial_log_std, -20, 20);
}

}  // namespace fdg::rl
