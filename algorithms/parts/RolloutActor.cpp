#include "algorithms/parts/RolloutActor.h"

#include <algorithm>
#include <cmath>

#include "algorithms/parts/Limits.h"
#include "algorithms/parts/QNetwork.h"

namespace fdg::rl {
namespace {

std::vector<int64_t> join(std::vector<int64_t> front, const std::vector<int64_t>& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

std::vector<int64_t> actionShape(const EnvSpec& spec, int64_t rows) {
  return spec.discrete ? std::vector{rows} : std::vector{rows, spec.actions};
}

}  // namespace

RolloutActor::RolloutActor(const EnvSpec& spec, Rows rows, int64_t horizon,
                           const std::vector<int64_t>& hidden, Stream stream)
    : RolloutActor(spec, rows, horizon, actorCriticLayout(spec, hidden).text(), std::move(stream)) {
}

RolloutActor::RolloutActor(const EnvSpec& spec, Rows rows, int64_t horizon,
                           const std::string& networks, Stream stream)
    : spec_(spec),
      rows_(rows),
      horizon_(horizon),
      layout_(NetworkLayout::parse(networks)),
      actor_(layout_, "actor", spec.observationSize()),
      critic_(layout_, "critic", spec.observationSize()),
      scaled_(layout_),
      log_std_(spec.discrete ? 0 : layout_.block("log_std").offset),
      stream_(std::move(stream)),
      actions_(actionShape(spec, rows.size()), spec.discrete ? torch::kInt64 : torch::kFloat32) {
  Limits().count("horizon", horizon, 1);
}

void RolloutActor::load(const Weights& weights) { copyParameters(weights, layout_, parameters_); }

void RolloutActor::begin() {
  const std::vector<int64_t> lead = {rows_.size(), horizon_};
  steps_.observation = torch::empty(join(lead, spec_.observation_shape), torch::kFloat32);
  steps_.action = spec_.discrete ? torch::empty(lead, torch::kInt64)
                                 : torch::empty(join(lead, {spec_.actions}), torch::kFloat32);
  steps_.log_prob = torch::empty(lead, torch::kFloat32);
  steps_.value = torch::empty(lead, torch::kFloat32);
  steps_.next_value = torch::zeros(lead, torch::kFloat32);
  steps_.reward = torch::empty(lead, torch::kFloat32);
  steps_.ended = torch::empty(lead, torch::kBool);
}

torch::Tensor RolloutActor::act(const torch::Tensor& observation) {
  const int64_t inputs = spec_.observationSize();
  const torch::Tensor rows = actorRows(observation, inputs, rows_, parameters_);
  if (time_ == horizon_) {
    throw UserError("the rollout is complete after " + std::to_string(horizon_) +
                    " steps: take it with rollout() before acting on");
  }
  if (time_ == 0) {
    begin();
  }
  const float* x = rows.data_ptr<float>();
  const float* seen = scaled_.of(parameters_.data(), x, rows_.size());
  const auto value = critic_.forward(parameters_.data(), seen, rows_.size());
  float* observed = steps_.observation.data_ptr<float>();
  float* values = steps_.value.data_ptr<float>();
  for (int64_t r = 0; r < rows_.size(); ++r) {
    const int64_t at = r * horizon_ + time_;
    std::copy_n(x + r * inputs, inputs, observed + at * inputs);
    values[at] = value[static_cast<size_t>(r)];
  }
  const auto output = actor_.forward(parameters_.data(), seen, rows_.size());
  return spec_.discrete ? sampleDiscrete(output) : sampleContinuous(output);
}

torch::Tensor RolloutActor::sampleDiscrete(std::span<const float> logits) {
  const int64_t n = spec_.actions;
  torch::Tensor action = actions_.take();
  auto* actions = action.data_ptr<int64_t>();
  auto* taken = steps_.action.data_ptr<int64_t>();
  float* log_prob = steps_.log_prob.data_ptr<float>();
  for (int64_t r = 0; r < rows_.size(); ++r) {
    const float* row = logits.data() + r * n;
    const int64_t chosen = sampleSoftmax(row, n, stream_.uniform(rows_.begin + r));
    const int64_t at = r * horizon_ + time_;
    actions[r] = chosen;
    taken[at] = chosen;
    log_prob[at] = row[chosen] - logSumExp(row, n);
  }
  return action;
}

torch::Tensor RolloutActor::sampleContinuous(std::span<const float> means) {
  const int64_t n = spec_.actions;
  deviations_.load(parameters_.data() + log_std_, n);
  torch::Tensor action = actions_.take();
  float* actions = action.data_ptr<float>();
  float* taken = steps_.action.data_ptr<float>();
  float* log_prob = steps_.log_prob.data_ptr<float>();
  for (int64_t r = 0; r < rows_.size(); ++r) {
    const int64_t at = r * horizon_ + time_;
    const float* mean = means.data() + r * n;
    float* raw = taken + at * n;
    for (int64_t d = 0; d < n; ++d) {
      const double noise = stream_.normal(rows_.begin + r);
      raw[d] = mean[d] + deviations_.plain[static_cast<size_t>(d)] * static_cast<float>(noise);
      actions[r * n + d] = toBounds(spec_, d, raw[d]);
    }
    log_prob[at] = gaussianLogProb(mean, deviations_, raw);
  }
  return action;
}

float RolloutActor::valueOf(const float* observations, int64_t row) {
  const int64_t first = row - row % critic_.together();
  const float* world = observations + first * spec_.observationSize();
  const float* seen = scaled_.of(parameters_.data(), world, critic_.together());
  return critic_.forward(parameters_.data(), seen,
                         critic_.together())[static_cast<size_t>(row - first)];
}

void RolloutActor::record(const Outcome& outcome) {
  const torch::Tensor last = plainRows(outcome.final_observation, spec_.observationSize());
  const auto reward_rows = outcome.reward.contiguous();
  const auto terminated_rows = outcome.terminated.contiguous();
  const auto truncated_rows = outcome.truncated.contiguous();
  const float* reward = reward_rows.data_ptr<float>();
  const bool* terminated = terminated_rows.data_ptr<bool>();
  const bool* truncated = truncated_rows.data_ptr<bool>();
  float* rewards = steps_.reward.data_ptr<float>();
  bool* ended = steps_.ended.data_ptr<bool>();
  for (int64_t r = 0; r < rows_.size(); ++r) {
    const int64_t at = r * horizon_ + time_;
    const bool was_cut = truncated[r] && !terminated[r];
    rewards[at] = reward[r];
    ended[at] = terminated[r] || was_cut;
    if (was_cut) {
      steps_.next_value.data_ptr<float>()[at] = valueOf(last.data_ptr<float>(), r);
    }
  }
  ++time_;
}

Rollout RolloutActor::rollout(const torch::Tensor& observation) {
  const torch::Tensor rows = actorRows(observation, spec_.observationSize(), rows_, parameters_);
  if (time_ != horizon_) {
    throw UserError("a rollout of " + std::to_string(horizon_) + " steps was taken after " +
                    std::to_string(time_));
  }
  const float* seen = scaled_.of(parameters_.data(), rows.data_ptr<float>(), rows_.size());
  const auto after = critic_.forward(parameters_.data(), seen, rows_.size());
  const float* value = steps_.value.data_ptr<float>();
  const bool* ended = steps_.ended.data_ptr<bool>();
  float* next = steps_.next_value.data_ptr<float>();
  for (int64_t r = 0; r < rows_.size(); ++r) {
    for (int64_t t = 0; t < horizon_; ++t) {
      const int64_t at = r * horizon_ + t;
      if (!ended[at]) {
        next[at] = t + 1 < horizon_ ? value[at + 1] : after[static_cast<size_t>(r)];
      }
    }
  }
  time_ = 0;
  return std::exchange(steps_, {});
}

}  // namespace fdg::rl
