#include "algorithms/parts/QNetwork.h"

#include <string>

namespace fdg::rl {
namespace {

void checkRows(const std::string& who, const torch::Tensor& observation, Rows rows) {
  if (observation.size(0) != rows.size()) {
    throw UserError("the " + who + " was made for " + std::to_string(rows.size()) +
                    " rows and got " + std::to_string(observation.size(0)));
  }
}

}  // namespace

NetworkLayout qLayout(const EnvSpec& spec, const DqnOptions& options) {
  if (!spec.discrete) {
    throw UserError(spec.name +
                    " has continuous actions; Q-learning needs discrete ones (use ppo)");
  }
  std::vector<int64_t> sizes = {spec.observationSize()};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(spec.actions + (options.dueling ? 1 : 0));
  NetworkLayout layout;
  layout.add(options.dueling ? "dueling" : "q", "relu", std::move(sizes));
  return layout;
}

QNetwork::QNetwork(const NetworkLayout& layout)
    : pass_(layout.blocks().front().shape()), dueling_(layout.has("dueling")) {}

std::span<const float> QNetwork::forward(const float* parameters, const float* observation,
                                         int64_t rows) {
  const auto output = pass_.forward(parameters, observation, rows);
  if (!dueling_) {
    return output;
  }
  const int64_t n = actions();
  q_.resize(static_cast<size_t>(rows * n));
  for (int64_t r = 0; r < rows; ++r) {
    const float* advantage = output.data() + r * (n + 1);
    float sum = 0;
    for (int64_t a = 0; a < n; ++a) {
      sum += advantage[a];
    }
    const float base = advantage[n] - sum / static_cast<float>(n);
    for (int64_t a = 0; a < n; ++a) {
      q_[static_cast<size_t>(r * n + a)] = base + advantage[a];
    }
  }
  return q_;
}

void QNetwork::backward(const float* parameters, const float* observation,
                        std::span<const float> d_q, float* gradient) {
  if (!dueling_) {
    pass_.backward(parameters, observation, d_q.data(), gradient);
    return;
  }
  const int64_t n = actions();
  const auto rows = static_cast<int64_t>(d_q.size()) / n;
  d_output_.resize(static_cast<size_t>(rows * (n + 1)));
  for (int64_t r = 0; r < rows; ++r) {
    const float* d = d_q.data() + r * n;
    float sum = 0;
    for (int64_t a = 0; a < n; ++a) {
      sum += d[a];
    }
    float* to = d_output_.data() + r * (n + 1);
    for (int64_t a = 0; a < n; ++a) {
      to[a] = d[a] - sum / static_cast<float>(n);
    }
    to[n] = sum;
  }
  pass_.backward(parameters, observation, d_output_.data(), gradient);
}

int64_t argmax(const float* values, int64_t n) {
  int64_t best = 0;
  for (int64_t i = 1; i < n; ++i) {
    if (values[i] > values[best]) {
      best = i;
    }
  }
  return best;
}

torch::Tensor plainRows(const torch::Tensor& observation, int64_t inputs) {
  const int64_t rows = observation.size(0);
  if (observation.numel() != rows * inputs) {
    throw UserError("a network with " + std::to_string(inputs) +
                    " inputs was given observations of " +
                    std::to_string(rows > 0 ? observation.numel() / rows : 0) + " numbers each");
  }
  return observation.to(torch::kCPU, torch::kFloat32).contiguous();
}

torch::Tensor actorRows(const torch::Tensor& observation, int64_t inputs, Rows rows,
                        const std::vector<float>& parameters) {
  if (parameters.empty()) {
    throw UserError("the actor has no weights yet: load them before the first act");
  }
  checkRows("actor", observation, rows);
  return plainRows(observation, inputs);
}

torch::Tensor learnerRows(const torch::Tensor& observation, int64_t inputs, Rows rows) {
  checkRows("learner", observation, rows);
  return plainRows(observation, inputs);
}

}  // namespace fdg::rl
