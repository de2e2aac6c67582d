#include "algorithms/parts/A2cLearner.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

A2cLearner::A2cLearner(const EnvSpec& spec, int64_t updates, const A2cOptions& options,
                       Stream stream)
    : options_(checked(options)),
      updates_(updates),
      gradient_(spec, options),
      parameters_(initActorCritic(gradient_.layout(), options.initial_log_std, stream)),
      optimizer_(gradient_.layout().parameters(), options.epsilon, options.decay) {}

Weighted<Gradients> A2cLearner::gradients(const Rollout& rollout) {
  auto flat = torch::zeros({gradient_.layout().parameters()}, torch::kFloat32);
  const int64_t rows = rollout.reward.size(0);
  if (rows == 0) {
    return {{flat, 0.0}, 0.0};
  }
  const double loss = gradient_.find(parameters_, contiguous(rollout), flat.data_ptr<float>());
  return {{flat, loss}, static_cast<double>(rows)};
}

void A2cLearner::apply(const Weighted<Gradients>& gradients) {
  step(optimizer_, gradients.value, annealed(options_, done_, updates_), options_.grad_clip,
       parameters_);
  loss_ = gradients.value.loss;
  ++done_;
}

}  // namespace fdg::rl
