#include "algorithms/parts/DqnLearner.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {
namespace {

std::vector<float> initial(const NetworkLayout& layout, Stream stream) {
  std::vector<float> parameters(static_cast<size_t>(layout.parameters()));
  for (const Block& block : layout.blocks()) {
    initUniform(block, stream, parameters);
  }
  return parameters;
}

std::variant<Adam, CentredRmsProp> optimizerFor(const DqnOptions& options, int64_t parameters) {
  if (options.optimizer == "rmsprop") {
    return CentredRmsProp(parameters, options.epsilon, options.rms_decay);
  }
  return Adam(parameters, options.epsilon);
}

}  // namespace

double decayed(int64_t updates, int64_t span) {
  constexpr double kLast = 0.01;
  if (span == 0) {
    return 1;
  }
  return std::max(kLast, 1 - static_cast<double>(updates) / static_cast<double>(span));
}

DqnLearner::DqnLearner(const EnvSpec& spec, const DqnOptions& options, Stream stream)
    : options_(options),
      layout_(qLayout(spec, options)),
      network_(layout_),
      other_(layout_),
      online_(initial(layout_, std::move(stream))),
      target_(online_),
      optimizer_(optimizerFor(options, layout_.parameters())) {}

std::vector<float> DqnLearner::targets(const Transitions& rows) {
  const int64_t count = rows.reward.size(0);
  const int64_t actions = network_.actions();
  const torch::Tensor next = network_.plain(rows.next_observation);
  const auto rated = other_.forward(target_.data(), next);
  const auto chosen = options_.double_q ? network_.forward(online_.data(), next) : rated;
  const float* reward = rows.reward.data_ptr<float>();
  const float* discount = rows.discount.data_ptr<float>();
  std::vector<float> targets(static_cast<size_t>(count));
  for (int64_t r = 0; r < count; ++r) {
    const int64_t best = argmax(chosen.data() + r * actions, actions);
    targets[static_cast<size_t>(r)] =
        reward[r] + discount[r] * rated[static_cast<size_t>(r * actions + best)];
  }
  return targets;
}

Weighted<Gradients> DqnLearner::gradients(const Batch& batch) {
  const Transitions& rows = batch.transitions;
  const int64_t count = rows.reward.size(0);
  const std::vector<float> wanted = targets(rows);
  const torch::Tensor observation = network_.plain(rows.observation);
  const auto q = network_.forward(online_.data(), observation);
  const int64_t actions = network_.actions();
  const auto* action = rows.action.data_ptr<int64_t>();
  const auto* weight = batch.weight.data_ptr<float>();
  errors_.assign(static_cast<size_t>(count), 0);
  std::vector<float> d_q(static_cast<size_t>(count * actions));
  double loss = 0;
  for (int64_t r = 0; r < count; ++r) {
    const auto at = static_cast<size_t>(r * actions + action[r]);
    const float error = q[at] - wanted[static_cast<size_t>(r)];
    const float size = std::abs(error);
    errors_[static_cast<size_t>(r)] = error;
    d_q[at] = weight[r] * std::clamp(error, -1.0f, 1.0f) / static_cast<float>(count);
    loss += weight[r] * (size <= 1 ? 0.5 * error * error : size - 0.5) / static_cast<double>(count);
  }
  auto flat = torch::zeros({layout_.parameters()}, torch::kFloat32);
  if (count > 0) {
    network_.backward(online_.data(), observation, d_q, flat.data_ptr<float>());
  }
  return {{flat, loss}, static_cast<double>(count)};
}

void DqnLearner::apply(const Weighted<Gradients>& gradients) {
  const double rate = options_.lr * decayed(updates_, options_.lr_decay);
  std::visit(
      [&](auto& optimizer) { step(optimizer, gradients.value, rate, options_.grad_clip, online_); },
      optimizer_);
  loss_ = gradients.value.loss;
  ++updates_;
  if (updates_ % options_.target_every == 0) {
    follow(online_, options_.target_rate, target_);
  }
}

Priorities DqnLearner::apply(const Weighted<Gradients>& gradients, const Batch& batch) {
  if (batch.index.size(0) != static_cast<int64_t>(errors_.size())) {
    throw UserError("learner.apply was given another batch than learner.gradients");
  }
  apply(gradients);
  auto error = torch::empty({batch.index.size(0)}, torch::kFloat32);
  std::ranges::copy(errors_, error.data_ptr<float>());
  return {batch.index.clone(), batch.generation.clone(), error};
}

}  // namespace fdg::rl
