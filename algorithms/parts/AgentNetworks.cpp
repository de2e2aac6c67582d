#include "algorithms/parts/AgentNetworks.h"

#include <algorithm>

namespace fdg::rl {

AgentNetworks::AgentNetworks(const NetworkLayout& layout, const std::string& name,
                             int64_t observation)
    : observation_(observation) {
  if (layout.has(name)) {
    networks_.push_back({MlpPass(layout.block(name).shape()), layout.block(name).offset});
  } else {
    for (int64_t i = 0; i == 0 || layout.has(name + std::to_string(i)); ++i) {
      const Block& block = layout.block(name + std::to_string(i));
      networks_.push_back({MlpPass(block.shape()), block.offset});
    }
  }
  const int64_t inputs = networks_.front().pass.shape().inputs();
  joint_ = inputs / observation;
  if (joint_ * observation != inputs || joint_ == 0) {
    throw UserError("the network \"" + layout.text() + "\" does not take observations of " +
                    std::to_string(observation) + " numbers");
  }
}

void AgentNetworks::arrange(const float* x) {
  const auto networks = static_cast<int64_t>(networks_.size());
  inputs_.resize(static_cast<size_t>(rows_ * joint_ * observation_));
  float* to = inputs_.data();
  for (int64_t n = 0; n < networks; ++n) {
    for (int64_t row = n; row < rows_; row += networks) {
      const int64_t own = row % joint_;
      const float* world = x + (row - own) * observation_;
      for (int64_t i = 0; i < joint_; ++i) {
        to = std::copy_n(world + (own + i) % joint_ * observation_, observation_, to);
      }
    }
  }
}

std::span<const float> AgentNetworks::forward(const float* parameters, const float* x,
                                              int64_t rows) {
  rows_ = rows;
  if (isPlain()) {
    return networks_.front().pass.forward(parameters + networks_.front().offset, x, rows);
  }
  arrange(x);
  const auto networks = static_cast<int64_t>(networks_.size());
  const int64_t each = rows / networks;
  const int64_t width = outputs();
  outputs_.resize(static_cast<size_t>(rows * width));
  for (int64_t n = 0; n < networks; ++n) {
    Network& network = networks_[static_cast<size_t>(n)];
    const auto found = network.pass.forward(
        parameters + network.offset, inputs_.data() + n * each * joint_ * observation_, each);
    for (int64_t i = 0; i < each; ++i) {
      std::copy_n(found.data() + i * width, width, outputs_.data() + (i * networks + n) * width);
    }
  }
  return outputs_;
}

void AgentNetworks::backward(const float* parameters, const float* x, const float* d_output,
                             float* gradient) {
  if (isPlain()) {
    Network& network = networks_.front();
    network.pass.backward(parameters + network.offset, x, d_output, gradient + network.offset);
    return;
  }
  const auto networks = static_cast<int64_t>(networks_.size());
  const int64_t each = rows_ / networks;
  const int64_t width = outputs();
  d_output_.resize(static_cast<size_t>(each * width));
  for (int64_t n = 0; n < networks; ++n) {
    Network& network = networks_[static_cast<size_t>(n)];
    for (int64_t i = 0; i < each; ++i) {
      std::copy_n(d_output + (i * networks + n) * width, width, d_output_.data() + i * width);
    }
    network.pass.backward(parameters + network.offset,
                          inputs_.data() + n * each * joint_ * observation_, d_output_.data(),
                          gradient + network.offset);
  }
}

}  // namespace fdg::rl
