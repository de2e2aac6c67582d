#include "algorithms/parts/Distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fdg::rl {

float logSumExp(const float* logits, int64_t n) {
  const float largest = *std::max_element(logits, logits + n);
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    sum += std::exp(logits[i] - largest);
  }
  return largest + std::log(sum);
}

int64_t sampleSoftmax(const float* logits, int64_t n, double u) {
  const float total = logSumExp(logits, n);
  double sum = 0;
  for (int64_t i = 0; i + 1 < n; ++i) {
    sum += std::exp(logits[i] - total);
    if (u < sum) {
      return i;
    }
  }
  return n - 1;
}

float gaussianLogProb(const float* mean, const float* log_std, const float* action, int64_t n) {
  const float half_log_two_pi = 0.5f * std::log(2 * std::numbers::pi_v<float>);
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const float z = (action[i] - mean[i]) / std::exp(log_std[i]);
    sum += -0.5f * z * z - log_std[i] - half_log_two_pi;
  }
  return sum;
}

float toBounds(const EnvSpec& spec, int64_t dimension, float raw) {
  const auto d = static_cast<size_t>(dimension);
  if (d >= spec.low.size() || !std::isfinite(spec.low[d]) || !std::isfinite(spec.high[d])) {
    return raw;
  }
  const float clipped = std::clamp(raw, -1.0f, 1.0f);
  const double middle = (spec.low[d] + spec.high[d]) / 2;
  const double half = (spec.high[d] - spec.low[d]) / 2;
  return static_cast<float>(middle + half * clipped);
}

}  // namespace fdg::rl
