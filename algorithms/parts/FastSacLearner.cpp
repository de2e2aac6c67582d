#include "algorithms/parts/FastSacLearner.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

FastSacLearner::FastSacLearner(const EnvSpec& spec, Rows rows, const FastSacOptions& options,
                               Stream stream)
    : lr_(checked(options).lr),
      stream_(std::move(stream)),
      critics_(spec, options, stream_),
      policy_(spec, rows, squashedLayout(spec, options),
              {.temperature = options.temperature,
               .automatic_temperature = options.automatic_temperature,
               .entropy_target = options.entropy_target,
               .beta1 = options.beta1,
               .beta2 = options.beta2,
               .weight_decay = options.weight_decay},
              stream_) {}

Weighted<Gradients> FastSacLearner::criticGradients(const Batch& batch) {
  const Transitions& rows = batch.transitions;
  const SquashedPolicy::Drawn next = policy_.draw(rows.next_observation, stream_);
  return critics_.gradients(rows, critics_.wanted(rows, next.action, policy_.bonus(next)));
}

void FastSacLearner::applyCritics(const Weighted<Gradients>& gradients) {
  critics_.apply(gradients);
  loss_ = gradients.value.loss;
}

Weighted<Gradients> FastSacLearner::policyGradients(const Batch& batch) {
  const torch::Tensor& observation = batch.transitions.observation;
  const SquashedPolicy::Drawn drawn = policy_.draw(observation, stream_);
  return policy_.gradients(observation, drawn, critics_.rate(observation, drawn.action));
}

void FastSacLearner::applyPolicy(const Weighted<Gradients>& gradients) {
  policy_.apply(gradients, lr_);
}

}  // namespace fdg::rl
