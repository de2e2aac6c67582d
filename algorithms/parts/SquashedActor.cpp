#include "algorithms/parts/SquashedActor.h"

#include <algorithm>
#include <cmath>

#include "algorithms/envs/FreshTensor.h"
#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/Limits.h"
#include "algorithms/parts/QNetwork.h"

namespace fdg::rl {

SquashedActor::SquashedActor(const EnvSpec& spec, Rows rows, NetworkLayout layout,
                             int64_t random_steps, Stream stream)
    : spec_(spec),
      rows_(rows),
      layout_(std::move(layout)),
      policy_(layout_.block("squashed").shape()),
      stream_(std::move(stream)),
      random_steps_(random_steps),
      gaussian_(true) {}

SquashedActor::SquashedActor(const EnvSpec& spec, Rows rows, const SacOptions& options,
                             Stream stream)
    : SquashedActor(spec, rows, squashedLayout(spec, checked(options).hidden, 2 * spec.actions),
                    options.random_steps, std::move(stream)) {}

SquashedActor::SquashedActor(const EnvSpec& spec, Rows rows, const FastSacOptions& options,
                             Stream stream)
    : SquashedActor(spec, rows, squashedLayout(spec, checked(options)), options.random_steps,
                    std::move(stream)) {}

SquashedActor::SquashedActor(const EnvSpec& spec, Rows rows, const DpgOptions& options,
                             Stream stream)
    : spec_(spec),
      rows_(rows),
      layout_(squashedLayout(spec, checked(options).hidden, spec.actions)),
      policy_(layout_.block("squashed").shape()),
      stream_(std::move(stream)),
      random_steps_(options.random_steps),
      gaussian_(false),
      deviation_(static_cast<float>(options.explore_noise)),
      kept_(static_cast<float>(1 - options.explore_return)),
      noise_(static_cast<size_t>(rows.size() * spec.actions)) {}

void SquashedActor::load(const Weights& weights) { copyParameters(weights, layout_, parameters_); }

torch::Tensor SquashedActor::act(const torch::Tensor& observation, int64_t step) {
  const torch::Tensor rows = actorRows(observation, spec_.observationSize(), rows_, parameters_);
  const auto output = policy_.forward(parameters_.data(), rows.data_ptr<float>(), rows_.size());
  torch::Tensor action = freshTensor({rows_.size(), spec_.actions}, torch::kFloat32);
  const int64_t width = policy_.shape().outputs();
  for (int64_t i = 0; i < action.numel(); ++i) {
    const int64_t row = i / spec_.actions;
    const int64_t dimension = i % spec_.actions;
    const float raw = step < random_steps_
                          ? static_cast<float>(stream_.uniform(rows_.begin + row, -1, 1))
                          : draw(output.data() + row * width, row, dimension);
    action.data_ptr<float>()[i] = toBounds(spec_, dimension, raw);
  }
  return action;
}

float SquashedActor::draw(const float* output, int64_t row, int64_t dimension) {
  const auto fresh = static_cast<float>(stream_.normal(rows_.begin + row));
  if (gaussian_) {
    const float log_std = boundedLogStd(output[spec_.actions + dimension]);
    return tanhOf(output[dimension] + std::exp(log_std) * fresh);
  }
  float& noise = noise_[static_cast<size_t>(row * spec_.actions + dimension)];
  noise = kept_ * noise + deviation_ * fresh;
  return std::clamp(tanhOf(output[dimension]) + noise, -1.0f, 1.0f);
}

}  // namespace fdg::rl
