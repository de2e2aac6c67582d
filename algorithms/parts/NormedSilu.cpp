#include "algorithms/parts/NormedSilu.h"

#include <cmath>

#include "algorithms/parts/DenseKernels.h"

namespace fdg::rl {
namespace {

constexpr float kEpsilon = 1e-5f;  // as in PyTorch
constexpr int64_t kLanes = 16;     // sums that overlap; their order is fixed

template <class Term>
float sum(int64_t n, const Term& term) {
  float lanes[kLanes] = {};
  const int64_t whole = n - n % kLanes;
  for (int64_t i = 0; i < whole; i += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) {
      lanes[k] += term(i + k);
    }
  }
  for (int64_t i = whole; i < n; ++i) {
    lanes[i - whole] += term(i);
  }
  float total = 0;
  for (const float lane : lanes) {
    total += lane;
  }
  return total;
}

/// x becomes (x − mean) / deviation; gives 1 / deviation.
float normalise(float* x, int64_t n) {
  const float share = 1.0f / static_cast<float>(n);
  const float mean = share * sum(n, [&](int64_t i) { return x[i]; });
  const float variance = share * sum(n, [&](int64_t i) { return (x[i] - mean) * (x[i] - mean); });
  const float inverse = 1.0f / std::sqrt(variance + kEpsilon);
  for (int64_t i = 0; i < n; ++i) {
    x[i] = (x[i] - mean) * inverse;
  }
  return inverse;
}

}  // namespace

void NormedSilu::forward(const float* parameters, int64_t n, float* x, int64_t rows) {
  const float* gain = parameters;
  const float* shift = parameters + n;
  normal_.assign(x, x + rows * n);
  inverse_.resize(static_cast<size_t>(rows));
  slope_.resize(normal_.size());
  for (int64_t r = 0; r < rows; ++r) {
    float* normal = normal_.data() + r * n;
    inverse_[static_cast<size_t>(r)] = normalise(normal, n);
    float* u = x + r * n;
    float* half = slope_.data() + r * n;
    for (int64_t i = 0; i < n; ++i) {
      u[i] = gain[i] * normal[i] + shift[i];
      half[i] = 0.5f * u[i];
    }
  }
  tanhInPlace(slope_.data(), rows * n);  // σ(u) = ½ + ½ tanh(u/2)
  for (int64_t i = 0; i < rows * n; ++i) {
    float& slope = slope_[static_cast<size_t>(i)];
    const float sigmoid = 0.5f + 0.5f * slope;
    x[i] *= sigmoid;
    slope = sigmoid + x[i] * (1.0f - sigmoid);
  }
}

void NormedSilu::backward(const float* parameters, int64_t n, float* d, int64_t rows,
                          float* gradient, bool adds) {
  const float share = 1.0f / static_cast<float>(n);
  if (gradient != nullptr && !adds) {
    std::fill_n(gradient, 2 * n, 0.0f);
  }
  for (int64_t r = 0; r < rows; ++r) {
    const float* normal = normal_.data() + r * n;
    const float* slope = slope_.data() + r * n;
    float* row = d + r * n;
    for (int64_t i = 0; i < n; ++i) {
      row[i] *= slope[i];
    }
    for (int64_t i = 0; gradient != nullptr && i < n; ++i) {
      gradient[i] += row[i] * normal[i];
      gradient[n + i] += row[i];
    }
    for (int64_t i = 0; i < n; ++i) {
      row[i] *= parameters[i];
    }
    const float mean = share * sum(n, [&](int64_t i) { return row[i]; });
    const float along = share * sum(n, [&](int64_t i) { return row[i] * normal[i]; });
    const float inverse = inverse_[static_cast<size_t>(r)];
    for (int64_t i = 0; i < n; ++i) {
      row[i] = inverse * (row[i] - mean - normal[i] * along);
    }
  }
}

}  // namespace fdg::rl
