#include "algorithms/parts/QCritics.h"

#include <algorithm>

#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/QNetwork.h"

namespace fdg::rl {
QCritics::QCritics(const EnvSpec& spec, const std::vector<int64_t>& hidden, int64_t count,
                   Stream& stream)
    : spec_(spec),
      layout_(criticLayout(spec, hidden, count, 1, "relu")),
      online_(static_cast<size_t>(layout_.parameters())),
      optimizer_(layout_.parameters(), 1e-8) {
  for (const Block& block : layout_.blocks()) {
    passes_.emplace_back(block.shape());
    initUniform(block, stream, online_);
  }
  target_ = online_;
}

std::vector<float> QCritics::wanted(const Transitions& rows, const std::vector<float>& next_action,
                                    const std::vector<float>& bonus) {
  const int64_t count = rows.reward.size(0);
  const float* x = join(spec_, rows.next_observation, next_action, joined_);
  std::vector<float> least;
  for (size_t i = 0; i < passes_.size(); ++i) {
    const auto q = passes_[i].forward(target_.data() + offset(i), x, count);
    least.resize(q.size(), std::numeric_limits<float>::infinity());
    std::ranges::transform(q, least, least.begin(),
                           [](float a, float b) { return std::min(a, b); });
  }
  const float* reward = rows.reward.data_ptr<float>();
  const float* discount = rows.discount.data_ptr<float>();
  for (size_t r = 0; r < least.size(); ++r) {
    const float value = bonus.empty() ? least[r] : least[r] + bonus[r];
    least[r] = reward[r] + discount[r] * value;
  }
  return least;
}

Weighted<Gradients> QCritics::gradients(const Transitions& rows, const std::vector<float>& wanted) {
  const auto count = static_cast<int64_t>(wanted.size());
  auto flat = torch::zeros({layout_.parameters()}, torch::kFloat32);
  if (count == 0) {
    return {{flat, 0.0}, 0.0};
  }
  const float* x = join(spec_, rows.observation, policyActions(spec_, rows.action), joined_);
  const double share = 1.0 / static_cast<double>(count);
  std::vector<float> d_q(wanted.size());
  double loss = 0;
  for (size_t i = 0; i < passes_.size(); ++i) {
    const float* parameters = online_.data() + offset(i);
    const auto q = passes_[i].forward(parameters, x, count);
    for (size_t r = 0; r < wanted.size(); ++r) {
      const double error = q[r] - wanted[r];
      d_q[r] = static_cast<float>(share * error);
      loss += share * 0.5 * error * error;
    }
    passes_[i].backward(parameters, x, d_q.data(), flat.data_ptr<float>() + offset(i));
  }
  return {{flat, loss}, static_cast<double>(count)};
}

Rating QCritics::rate(const torch::Tensor& observation, const std::vector<float>& action,
                      bool smaller) {
  const int64_t count = observation.size(0);
  const float* x = join(spec_, observation, action, joined_);
  const size_t critics = smaller ? passes_.size() : 1;
  std::vector<size_t> chosen(static_cast<size_t>(count));
  Rating rating;
  for (size_t i = 0; i < critics; ++i) {
    const auto q = passes_[i].forward(online_.data() + offset(i), x, count);
    rating.value.resize(q.size(), std::numeric_limits<float>::infinity());
    for (size_t r = 0; r < q.size(); ++r) {
      chosen[r] = q[r] < rating.value[r] ? i : chosen[r];
      rating.value[r] = std::min(q[r], rating.value[r]);
    }
  }
  rating.d_action.resize(action.size());
  std::vector<float> d_q(chosen.size());
  std::vector<float> d_x(joined_.size());
  for (size_t i = 0; i < critics; ++i) {
    std::ranges::transform(chosen, d_q.begin(), [&](size_t c) { return c == i ? 1.0f : 0.0f; });
    passes_[i].inputGradient(online_.data() + offset(i), d_q.data(), d_x.data());
    addActions(spec_, d_x, rating.d_action);
  }
  return rating;
}

void QCritics::apply(const Weighted<Gradients>& gradients, double learning_rate) {
  step(optimizer_, gradients.value, learning_rate, 0, online_);
}

NetworkLayout criticLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden, int64_t count,
                           int64_t outputs, const std::string& kind) {
  std::vector<int64_t> sizes = {denseInputs(spec) + spec.actions};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(outputs);
  NetworkLayout layout;
  for (int64_t i = 1; i <= count; ++i) {
    layout.add("critic" + std::to_string(i), kind, sizes);
  }
  return layout;
}

const float* join(const EnvSpec& spec, const torch::Tensor& observation,
                  const std::vector<float>& action, std::vector<float>& joined) {
  const int64_t size = spec.observationSize();
  const torch::Tensor rows = plainRows(observation, size);
  joined.resize(static_cast<size_t>(rows.size(0) * (size + spec.actions)));
  const float* from = rows.data_ptr<float>();
  const float* act = action.data();
  float* to = joined.data();
  for (int64_t r = rows.size(0); r > 0; --r) {  // few numbers each: a call of memmove costs more
    for (int64_t i = 0; i < size; ++i) {
      *to++ = *from++;
    }
    for (int64_t i = 0; i < spec.actions; ++i) {
      *to++ = *act++;
    }
  }
  return joined.data();
}

void addActions(const EnvSpec& spec, const std::vector<float>& joined,
                std::vector<float>& actions) {
  const int64_t size = spec.observationSize();
  const float* from = joined.data();
  for (float* to = actions.data(); to != actions.data() + actions.size();) {
    from += size;
    for (int64_t i = 0; i < spec.actions; ++i) {
      *to++ += *from++;
    }
  }
}

std::vector<float> policyActions(const EnvSpec& spec, const torch::Tensor& action) {
  const torch::Tensor rows = plainRows(action, spec.actions);
  std::vector<float> raw(static_cast<size_t>(rows.numel()));
  const float* from = rows.data_ptr<float>();
  for (int64_t i = 0; i < rows.numel(); ++i) {
    raw[static_cast<size_t>(i)] = fromBounds(spec, i % spec.actions, from[i]);
  }
  return raw;
}

}  // namespace fdg::rl
