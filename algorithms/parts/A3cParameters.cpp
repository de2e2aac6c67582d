#include "algorithms/parts/A3cParameters.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

A3cParameters::A3cParameters(const EnvSpec& spec, int64_t updates, const A2cOptions& options,
                             Stream stream)
    : options_(checked(options)),
      updates_(updates),
      layout_(actorCriticLayout(spec, options.hidden, options.activation)),
      parameters_(initActorCritic(layout_, options.initial_log_std, stream)),
      optimizer_(layout_.parameters(), options.epsilon, options.decay) {}

void A3cParameters::apply(const RowGradients& gradients) {
  const torch::Tensor flat = gradients.flat.contiguous();
  const auto size = static_cast<size_t>(layout_.parameters());
  for (int64_t r = 0; r < flat.size(0); ++r) {
    optimizer_.step({flat.data_ptr<float>() + static_cast<size_t>(r) * size, size},
                    annealed(options_, done_, updates_), options_.grad_clip, parameters_);
    ++done_;
  }
  if (flat.size(0) > 0) {
    loss_ = gradients.loss.mean().item<double>();
  }
}

}  // namespace fdg::rl
