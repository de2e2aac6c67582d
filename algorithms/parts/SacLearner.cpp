#include "algorithms/parts/SacLearner.h"

#include <cmath>

#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/QNetwork.h"

namespace fdg::rl {
namespace {

NetworkLayout learnerLayout(const EnvSpec& spec, const SacOptions& options) {
  NetworkLayout layout = squashedLayout(spec, options.hidden, 2 * spec.actions);
  layout.add("log_temperature", "vector", {1});
  return layout;
}

std::vector<float> initial(const NetworkLayout& layout, const SacOptions& options, Stream& stream) {
  std::vector<float> parameters(static_cast<size_t>(layout.parameters()));
  initUniform(layout.block("squashed"), stream, parameters);
  parameters.back() = static_cast<float>(std::log(options.temperature));
  return parameters;
}

}  // namespace

SacLearner::SacLearner(const EnvSpec& spec, Rows rows, const SacOptions& options, Stream stream)
    : spec_(spec),
      rows_(rows),
      options_(options),
      layout_(learnerLayout(spec, options)),
      policy_(layout_.block("squashed").shape()),
      stream_(std::move(stream)),
      critics_(spec, options.hidden, 2, stream_),
      parameters_(initial(layout_, options, stream_)),
      optimizer_(layout_.parameters(), 1e-8) {
  if (!(options.temperature > 0 && options.target_rate > 0 && options.target_rate <= 1)) {
    throw UserError("sac.temperature must be above 0, and sac.target_rate above 0 and at most 1");
  }
}

Weights SacLearner::weights() const {
  const std::vector<float> policy(parameters_.begin(), parameters_.end() - 1);
  return makeWeights(policy, squashedLayout(spec_, options_.hidden, 2 * spec_.actions));
}

double SacLearner::temperature() const { return std::exp(static_cast<double>(parameters_.back())); }

SacLearner::Drawn SacLearner::draw(const torch::Tensor& observation) {
  const torch::Tensor x = learnerRows(observation, spec_.observationSize(), rows_);
  const auto n = static_cast<size_t>(spec_.actions);
  const auto output = policy_.forward(parameters_.data(), x.data_ptr<float>(), rows_.size());
  const auto count = static_cast<size_t>(rows_.size());
  Drawn drawn = {std::vector<float>(count * n), std::vector<float>(count * n),
                 std::vector<bool>(count * n), std::vector<double>(count)};
  for (size_t i = 0; i < count * n; ++i) {
    const size_t row = i / n;
    const size_t mean = 2 * row * n + i % n;
    const auto noise = static_cast<float>(stream_.normal(rows_.begin + static_cast<int64_t>(row)));
    const float log_std = boundedLogStd(output[mean + n]);
    drawn.spread[i] = std::exp(log_std) * noise;
    const float raw = output[mean] + drawn.spread[i];
    drawn.action[i] = tanhOf(raw);
    drawn.free[i] = log_std == output[mean + n];
    drawn.log_prob[row] += squashedLogProb(raw, noise, log_std);
  }
  return drawn;
}

Weighted<Gradients> SacLearner::criticGradients(const Batch& batch) {
  const Transitions& rows = batch.transitions;
  const Drawn next = draw(rows.next_observation);
  std::vector<float> bonus;
  for (const double log_prob : next.log_prob) {
    bonus.push_back(static_cast<float>(-temperature() * log_prob));
  }
  return critics_.gradients(rows, critics_.wanted(rows, next.action, bonus));
}

void SacLearner::applyCritics(const Weighted<Gradients>& gradients) {
  critics_.apply(gradients, options_.critic_lr);
  loss_ = gradients.value.loss;
}

Weighted<Gradients> SacLearner::policyGradients(const Batch& batch) {
  auto flat = torch::zeros({layout_.parameters()}, torch::kFloat32);
  if (rows_.size() == 0) {
    return {{flat, 0.0}, 0.0};
  }
  const torch::Tensor& observation = batch.transitions.observation;
  const Drawn drawn = draw(observation);
  const Rating rating = critics_.rate(observation, drawn.action, true);
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
  policy_.backward(parameters_.data(), x.data_ptr<float>(), d_output.data(), gradient);
  if (options_.automatic_temperature) {
    gradient[layout_.parameters() - 1] = static_cast<float>(d_log_alpha);
  }
  return {{flat, loss}, static_cast<double>(rows_.size())};
}

std::vector<float> SacLearner::byOutputs(const Drawn& drawn, const Rating& rating) const {
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

void SacLearner::applyPolicy(const Weighted<Gradients>& gradients) {
  step(optimizer_, gradients.value, options_.policy_lr, 0, parameters_);
}

}  // namespace fdg::rl
