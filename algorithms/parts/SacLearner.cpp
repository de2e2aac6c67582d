#include "algorithms/parts/SacLearner.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

SacLearner::SacLearner(const EnvSpec& spec, Rows rows, const SacOptions& options, Stream stream)
    : options_(checked(options)),
      stream_(std::move(stream)),
      critics_(spec, options.hidden, 2, stream_),
      policy_(spec, rows, squashedLayout(spec, options.hidden, 2 * spec.actions),
              {.temperature = options.temperature,
               .automatic_temperature = options.automatic_temperature,
               .entropy_target = options.entropy_target},
              stream_) {}

Weighted<Gradients> SacLearner::criticGradients(const Batch& batch) {
  const Transitions& rows = batch.transitions;
  const SquashedPolicy::Drawn next = policy_.draw(rows.next_observation, stream_);
  return critics_.gradients(rows, critics_.wanted(rows, next.action, policy_.bonus(next)));
}

void SacLearner::applyCritics(const Weighted<Gradients>& gradients) {
  critics_.apply(gradients, options_.critic_lr);
  loss_ = gradients.value.loss;
}

Weighted<Gradients> SacLearner::policyGradients(const Batch& batch) {
  const torch::Tensor& observation = batch.transitions.observation;
  const SquashedPolicy::Drawn drawn = policy_.draw(observation, stream_);
  return policy_.gradients(observation, drawn, critics_.rate(observation, drawn.action, true));
}

void SacLearner::applyPolicy(const Weighted<Gradients>& gradients) {
  policy_.apply(gradients, options_.policy_lr);
}

}  // namespace fdg::rl
