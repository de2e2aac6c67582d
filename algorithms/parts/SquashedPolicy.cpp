#include "algorithms/parts/SquashedPolicy.h"

#include <algorithm>
#include <cmath>

#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/QNetwork.h"

namespace fdg::rl {
namespace {

std::vector<float> initial(const NetworkLayout& layout, double temperature, Stream& stream) {
  std::vector<float> parameters(static_cast<size_t>(layout.parameters()));
  initUniform(layout.block("squashed"), stream, parameters);
  parameters.push_back(static_cast<float>(std::log(temperature)));
  return parameters;
}

}  // namespace

SquashedPolicy::SquashedPolicy(const EnvSpec& spec, Rows rows, NetworkLayout layout,
                               const SquashedPolicyOptions& options, Stream& stream)
    : spec_(spec),
      rows_(rows),
      options_(options),
      layout_(std::move(layout)),
      network_(layout_.block("squashed").shape()),
      parameters_(initial(layout_, options.temperature, stream)),
      optimizer_(layout_.parameters() + 1, 1e-8, options.beta1, options.beta2) {}

Weights SquashedPolicy::weights() const {
  return makeWeights({parameters_.begin(), parameters_.end() - 1}, layout_);
}

double SquashedPolicy::temperature() const {
  return std::exp(static_cast<double>(parameters_.back()));
}

SquashedPolicy::Drawn SquashedPolicy::draw(const torch::Tensor& observation, Stream& stream) {
  const torch::Tensor x = learnerRows(observation, spec_.observationSize(), rows_);
  const auto n = static_cast<size_t>(spec_.actions);
  const auto output = network_.forward(parameters_.data(), x.data_ptr<float>(), rows_.size());
  const auto count = static_cast<size_t>(rows_.size());
  Drawn drawn = {std::vector<float>(count * n), std::vector<float>(count * n),
                 std::vector<bool>(count * n), std::vector<double>(count)};
  for (size_t i = 0; i < count * n; ++i) {
    const size_t row = i / n;
    const size_t mean = 2 * row * n + i % n;
    const auto noise = static_cast<float>(stream.normal(rows_.begin + static_cast<int64_t>(row)));
    const float log_std = boundedLogStd(output[mean + n]);
    drawn.spread[i] = std::exp(log_std) * noise;
    const float raw = output[mean] + drawn.spread[i];
    drawn.action[i] = raw;
    drawn.free[i] = log_std == output[mean + n];
    drawn.log_prob[row] += squashedLogProb(raw, noise, log_std);
  }
  tanhInPlace(drawn.action.data(), static_cast<int64_t>(drawn.action.size()));
  return drawn;
}

std::vector<float> SquashedPolicy::bonus(const Drawn& drawn) const {
  const double alpha = temperature();
  std::vector<float> bonus(drawn.log_prob.size());
  std::ranges::transform(drawn.log_prob, bonus.begin(),
                         [&](double log_prob) { return static_cast<float>(-alpha * log_prob); });
  return bonus;
}

Weighted<Gradients> SquashedPolicy::gradients(const torch::Tensor& observation, const Drawn& drawn,
                                              const Rating& rating) {
  auto flat = torch::zeros({layout_.parameters() + 1}, torch::kFloat32);
  if (rows_.size() == 0) {
    return {{flat, 0.0}, 0.0};
  }
  const double alpha = temperature();
  const double target = options_.entropy_target * static_cast<double>(spec_.actions);
  const double share = 1.0 / static_cast<double>(rows_.size());
  double loss = 0;
  double d_log_alpha = 0;
  for (size_t r = 0; r < rating.value.size(); ++r) {
    loss += share * (alpha * drawn.log_prob[r] - rating.value[r]);
    d_log_alpha -= share * alpha * (drawn.log_prob[r] + target);
  }
  const std::vector<float> d_output = byOutputs(drawn, rating);
  float* gradient = flat.data_ptr<float>();
  const torch::Tensor x = plainRows(observation, spec_.observationSize());
  network_.backward(parameters_.data(), x.data_ptr<float>(), d_output.data(), gradient);
  if (options_.automatic_temperature) {
    gradient[layout_.parameters()] = static_cast<float>(d_log_alpha);
  }
  return {{flat, loss}, static_cast<double>(rows_.size())};
}

std::vector<float> SquashedPolicy::byOutputs(const Drawn& drawn, const Rating& rating) const {
  const auto n = static_cast<size_t>(spec_.actions);
  const double alpha = temperature();
  const double share = 1.0 / static_cast<double>(rows_.size());
  std::vector<float> d_output(2 * drawn.action.size());
  for (size_t i = 0; i < drawn.action.size(); ++i) {
    const double a = drawn.action[i];
    const double by_draw = alpha * 2 * a - rating.d_action[i] * (1 - a * a);
    const size_t mean = i / n * 2 * n + i % n;
    d_output[mean] = static_cast<float>(share * by_draw);
    if (drawn.free[i]) {
      d_output[mean + n] = static_cast<float>(share * (by_draw * drawn.spread[i] - alpha));
    }
  }
  return d_output;
}

void SquashedPolicy::apply(const Weighted<Gradients>& gradients, double learning_rate) {
  if (options_.weight_decay > 0) {
    decay({parameters_.begin(), parameters_.end() - 1}, learning_rate * options_.weight_decay);
  }
  step(optimizer_, gradients.value, learning_rate, 0, parameters_);
}

}  // namespace fdg::rl
