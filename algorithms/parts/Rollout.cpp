#include "algorithms/parts/Rollout.h"

#include <algorithm>

#include "algorithms/parts/Gae.h"

namespace fdg::rl {

Rollout contiguous(Rollout rollout) {
  value::forEachTensor(rollout, [](torch::Tensor& t) { t = t.contiguous(); });
  return rollout;
}

std::vector<float> advantagesOf(const Rollout& rollout, double gamma, double lambda) {
  const int64_t steps = rollout.reward.size(1);
  std::vector<float> advantage(static_cast<size_t>(rollout.reward.numel()));
  for (int64_t at = 0; at < rollout.reward.numel(); at += steps) {
    estimateAdvantages(
        {steps, rollout.reward.data_ptr<float>() + at, rollout.value.data_ptr<float>() + at,
         rollout.next_value.data_ptr<float>() + at, rollout.ended.data_ptr<bool>() + at},
        gamma, lambda, advantage.data() + at);
  }
  return advantage;
}

NetworkLayout actorCriticLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden) {
  std::vector<int64_t> sizes = {spec.observationSize()};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(spec.actions);
  NetworkLayout layout;
  layout.add("actor", "tanh", sizes);
  sizes.back() = 1;
  layout.add("critic", "tanh", sizes);
  if (!spec.discrete) {
    layout.add("log_std", "vector", {spec.actions});
  }
  return layout;
}

std::vector<float> initActorCritic(const NetworkLayout& layout, double log_std, Stream& stream) {
  std::vector<float> parameters(static_cast<size_t>(layout.parameters()));
  initOrthogonal(layout.block("actor"), 0.01f, stream, parameters);
  initOrthogonal(layout.block("critic"), 1.0f, stream, parameters);
  if (layout.has("log_std")) {
    std::fill(parameters.begin() + layout.block("log_std").offset, parameters.end(),
              static_cast<float>(log_std));
  }
  return parameters;
}

}  // namespace fdg::rl
