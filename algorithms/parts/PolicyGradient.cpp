#include "algorithms/parts/PolicyGradient.h"

#include <algorithm>

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

PolicyGradient::PolicyGradient(const EnvSpec& spec, const A2cOptions& options)
    : options_(checked(options)),
      layout_(actorCriticLayout(spec, options.hidden, options.activation)),
      actor_(layout_.block("actor").shape()),
      critic_(layout_.block("critic").shape()),
      head_(spec, layout_) {}

double PolicyGradient::find(const std::vector<float>& parameters, const Rollout& rollout,
                            float* gradient) {
  const int64_t count = rollout.reward.numel();
  const int64_t width = actor_.shape().outputs();
  const int64_t critic = layout_.block("critic").offset;
  const float* x = rollout.observation.data_ptr<float>();
  const auto output = actor_.forward(parameters.data(), x, count);
  const auto value = critic_.forward(parameters.data() + critic, x, count);
  head_.load(parameters.data());
  const std::vector<float> advantage = advantagesOf(rollout, options_.gamma, options_.lambda);
  const double share = 1.0 / static_cast<double>(count);
  std::vector<float> d_output(output.size());
  std::vector<float> d_value(value.size());
  double loss = 0;
  for (int64_t at = 0; at < count; ++at) {
    const auto i = static_cast<size_t>(at);
    const ActionTaken taken = {output.data() + at * width, rollout.action, at};
    const Likelihood now = head_.likelihood(taken);
    head_.backward(taken, now, {share, -advantage[i], options_.entropy_weight},
                   d_output.data() + at * width, gradient);
    const double wanted = rollout.value.data_ptr<float>()[at] + advantage[i];
    const double error = value[i] - wanted;
    d_value[i] = static_cast<float>(share * options_.value_weight * error);
    loss += share * (-advantage[i] * now.log_prob - options_.entropy_weight * now.entropy +
                     options_.value_weight * 0.5 * error * error);
  }
  actor_.backward(parameters.data(), x, d_output.data(), gradient);
  critic_.backward(parameters.data() + critic, x, d_value.data(), gradient + critic);
  return loss;
}

std::string actorCritic(const EnvSpec& spec, const A2cOptions& options) {
  return actorCriticLayout(spec, checked(options).hidden, options.activation).text();
}

double annealed(const A2cOptions& options, int64_t done, int64_t total) {
  if (!options.anneal) {
    return options.lr;
  }
  return options.lr * std::max(0.0, 1 - static_cast<double>(done) / static_cast<double>(total));
}

}  // namespace fdg::rl
