#include "algorithms/parts/DpgLearner.h"

#include <algorithm>

#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Limits.h"
#include "algorithms/parts/QNetwork.h"

namespace fdg::rl {

DpgLearner::DpgLearner(const EnvSpec& spec, Rows rows, const DpgOptions& options, Stream stream)
    : spec_(spec),
      rows_(rows),
      options_(checked(options)),
      layout_(squashedLayout(spec, options.hidden, spec.actions)),
      policy_(layout_.block("squashed").shape()),
      stream_(std::move(stream)),
      critics_(spec, options.hidden, options.twin ? 2 : 1, stream_),
      online_(static_cast<size_t>(layout_.parameters())),
      optimizer_(layout_.parameters(), 1e-8) {
  initUniform(layout_.block("squashed"), stream_, online_);
  target_ = online_;
}

std::vector<float> DpgLearner::act(const std::vector<float>& parameters,
                                   const torch::Tensor& observation) {
  const torch::Tensor x = learnerRows(observation, spec_.observationSize(), rows_);
  const auto output = policy_.forward(parameters.data(), x.data_ptr<float>(), rows_.size());
  std::vector<float> action(output.begin(), output.end());
  tanhInPlace(action.data(), static_cast<int64_t>(action.size()));
  return action;
}

Weighted<Gradients> DpgLearner::criticGradients(const Batch& batch) {
  const Transitions& rows = batch.transitions;
  std::vector<float> next = act(target_, rows.next_observation);
  if (options_.smoothing > 0) {
    for (size_t i = 0; i < next.size(); ++i) {
      const int64_t row = rows_.begin + static_cast<int64_t>(i) / spec_.actions;
      const double noise = std::clamp(options_.smoothing * stream_.normal(row),
                                      -options_.smoothing_clip, options_.smoothing_clip);
      next[i] = std::clamp(next[i] + static_cast<float>(noise), -1.0f, 1.0f);
    }
  }
  return critics_.gradients(rows, critics_.wanted(rows, next, {}));
}

void DpgLearner::applyCritics(const Weighted<Gradients>& gradients) {
  critics_.apply(gradients, options_.critic_lr);
  loss_ = gradients.value.loss;
}

Weighted<Gradients> DpgLearner::policyGradients(const Batch& batch) {
  auto flat = torch::zeros({layout_.parameters()}, torch::kFloat32);
  if (rows_.size() == 0) {
    return {{flat, 0.0}, 0.0};
  }
  const torch::Tensor& observation = batch.transitions.observation;
  const std::vector<float> action = act(online_, observation);
  const Rating rating = critics_.rate(observation, action, false);
  const double share = 1.0 / static_cast<double>(rows_.size());
  std::vector<float> d_output(action.size());
  for (size_t i = 0; i < action.size(); ++i) {
    const double slope = 1 - static_cast<double>(action[i]) * action[i];
    d_output[i] = static_cast<float>(-share * rating.d_action[i] * slope);
  }
  double loss = 0;
  for (const float value : rating.value) {
    loss -= share * value;
  }
  const torch::Tensor x = plainRows(observation, spec_.observationSize());
  policy_.backward(online_.data(), x.data_ptr<float>(), d_output.data(), flat.data_ptr<float>());
  return {{flat, loss}, static_cast<double>(rows_.size())};
}

void DpgLearner::applyPolicy(const Weighted<Gradients>& gradients) {
  step(optimizer_, gradients.value, options_.policy_lr, 0, online_);
}

void DpgLearner::moveTargets() {
  critics_.moveTargets(options_.target_rate);
  follow(online_, options_.target_rate, target_);
}

}  // namespace fdg::rl
