#include "algorithms/parts/Rollout.h"

#include <algorithm>

#include "algorithms/parts/Gae.h"
#include "algorithms/parts/Normaliser.h"
#include "base/ConfigError.h"

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

namespace {

/// What the networks of a program have in common.
struct Networks {
  const std::vector<int64_t>& hidden;
  const std::string& activation;
  int64_t seen;  // observations that a critic takes
};

/// An actor and its critic.
void addActorCritic(const EnvSpec& spec, const Networks& networks, const std::string& number,
                    NetworkLayout& layout) {
  const auto& [hidden, activation, seen] = networks;
  if (activation != "tanh" && activation != "relu") {
    throw ConfigError("the activation of actor and critic is \"" + activation +
                      "\"; it can be tanh or relu");
  }
  std::vector<int64_t> sizes = {denseInputs(spec)};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(spec.actions);
  layout.add("actor" + number, activation, sizes);
  sizes.front() *= seen;
  sizes.back() = 1;
  layout.add("critic" + number, activation, sizes);
}

void addDeviations(const EnvSpec& spec, NetworkLayout& layout) {
  if (!spec.discrete) {
    layout.add("log_std", "vector", {spec.actions});
  }
}

}  // namespace

NetworkLayout actorCriticLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                                const std::string& activation, bool scaled) {
  NetworkLayout layout;
  addActorCritic(spec, {hidden, activation, 1}, "", layout);
  addDeviations(spec, layout);
  if (scaled) {
    ScaledObservations::addTo(layout, spec.observationSize());
  }
  return layout;
}

std::string centralCritic(const EnvSpec& spec, const std::vector<int64_t>& hidden, bool separate,
                          const std::string& activation) {
  NetworkLayout layout;
  for (int64_t agent = 0; agent < (separate ? spec.agents : 1); ++agent) {
    addActorCritic(spec, {hidden, activation, spec.agents}, separate ? std::to_string(agent) : "",
                   layout);
  }
  addDeviations(spec, layout);
  return layout.text();
}

std::vector<float> initActorCritic(const NetworkLayout& layout, double log_std, Stream& stream) {
  std::vector<float> parameters(static_cast<size_t>(layout.parameters()));
  for (const Block& block : layout.blocks()) {
    if (block.kind == "vector") {
      const double value = block.name == "log_std"             ? log_std
                           : block.name == "observation_scale" ? 1.0
                                                               : 0.0;
      std::fill_n(parameters.begin() + block.offset, block.parameters(), static_cast<float>(value));
    } else {
      initOrthogonal(block, block.name.starts_with("actor") ? 0.01f : 1.0f, stream, parameters);
    }
  }
  return parameters;
}

}  // namespace fdg::rl
