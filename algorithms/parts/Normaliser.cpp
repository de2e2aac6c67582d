#include "algorithms/parts/Normaliser.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {

Normaliser::Normaliser(int64_t size)
    : mean_(static_cast<size_t>(size)), squares_(static_cast<size_t>(size)) {}

torch::Tensor Normaliser::sums(const float* rows, int64_t count) const {
  const size_t size = mean_.size();
  torch::Tensor sums = torch::zeros({1 + 2 * static_cast<int64_t>(size)}, torch::kFloat64);
  double* out = sums.data_ptr<double>();
  out[0] = static_cast<double>(count);
  for (int64_t row = 0; row < count; ++row, rows += size) {
    for (size_t i = 0; i < size; ++i) {
      const double difference = rows[i] - mean_[i];
      out[1 + i] += difference;
      out[1 + size + i] += difference * difference;
    }
  }
  return sums;
}

void Normaliser::absorb(const torch::Tensor& sums) {
  const size_t size = mean_.size();
  const torch::Tensor plain = sums.contiguous();
  const double* in = plain.data_ptr<double>();
  const double count = in[0];
  if (count == 0) {
    return;
  }
  const double all = count_ + count;
  for (size_t i = 0; i < size; ++i) {
    const double shift = in[1 + i] / count;
    mean_[i] += shift * count / all;
    squares_[i] += in[1 + size + i] - shift * shift * count + shift * shift * count_ * count / all;
  }
  count_ = all;
}

double Normaliser::deviation(int64_t i) const {
  const double squares = std::max(0.0, squares_[static_cast<size_t>(i)]);
  return count_ == 0 ? 1 : std::max(1e-4, std::sqrt(squares / count_));
}

void ScaledObservations::addTo(NetworkLayout& layout, int64_t size) {
  layout.add("observation_mean", "vector", {size});
  layout.add("observation_scale", "vector", {size});
}

ScaledObservations::ScaledObservations(const NetworkLayout& layout) {
  if (layout.has("observation_mean")) {
    mean_ = layout.block("observation_mean").offset;
    scale_ = layout.block("observation_scale").offset;
    size_ = layout.block("observation_mean").parameters();
  }
}

const float* ScaledObservations::of(const float* parameters, const float* x, int64_t rows) {
  if (!scales()) {
    return x;
  }
  const float* mean = parameters + mean_;
  const float* scale = parameters + scale_;
  scaled_.resize(static_cast<size_t>(rows * size_));
  float* out = scaled_.data();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < size_; ++i) {
      *out++ = std::clamp((*x++ - mean[i]) * scale[i], -10.0f, 10.0f);
    }
  }
  return scaled_.data();
}

void ScaledObservations::load(const Normaliser& normaliser, std::vector<float>& parameters) const {
  for (int64_t i = 0; scales() && i < size_; ++i) {
    parameters[static_cast<size_t>(mean_ + i)] = static_cast<float>(normaliser.mean(i));
    parameters[static_cast<size_t>(scale_ + i)] = static_cast<float>(1 / normaliser.deviation(i));
  }
}

}  // namespace fdg::rl
