#include "algorithms/parts/Distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

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

void Deviations::load(const float* log_std, int64_t n) {
  logs.assign(log_std, log_std + n);
  plain.clear();
  precise.clear();
  for (const float log : logs) {
    plain.push_back(std::exp(log));
    precise.push_back(std::exp(static_cast<double>(log)));
  }
}

float gaussianLogProb(const float* mean, const Deviations& deviations, const float* action) {
  const float half_log_two_pi = 0.5f * std::log(2 * std::numbers::pi_v<float>);
  float sum = 0;
  for (size_t i = 0; i < deviations.logs.size(); ++i) {
    const float z = (action[i] - mean[i]) / deviations.plain[i];
    sum += -0.5f * z * z - deviations.logs[i] - half_log_two_pi;
  }
  return sum;
}

namespace {

/// The middle between two finite bounds and half the distance between them.
struct Interval {
  double middle, half;
};

std::optional<Interval> boundsOf(const EnvSpec& spec, int64_t dimension) {
  const auto d = static_cast<size_t>(dimension);
  if (d >= spec.low.size() || !std::isfinite(spec.low[d]) || !std::isfinite(spec.high[d])) {
    return std::nullopt;
  }
  return Interval{(spec.low[d] + spec.high[d]) / 2, (spec.high[d] - spec.low[d]) / 2};
}

}  // namespace

float toBounds(const EnvSpec& spec, int64_t dimension, float raw) {
  const auto bounds = boundsOf(spec, dimension);
  const double clipped = std::clamp(raw, -1.0f, 1.0f);
  return bounds ? static_cast<float>(bounds->middle + bounds->half * clipped) : raw;
}

float fromBounds(const EnvSpec& spec, int64_t dimension, float action) {
  const auto bounds = boundsOf(spec, dimension);
  return bounds ? static_cast<float>((action - bounds->middle) / bounds->half) : action;
}

double squashedLogProb(double raw, double noise, double log_std) {
  const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);
  // log(1 − tanh² x) without cancellation: 2 (log 2 − |x| − log(1 + e^(−2|x|)))
  const double size = std::abs(raw);
  const double shrinks = 2 * (std::numbers::ln2 - size - std::log1p(std::exp(-2 * size)));
  return -0.5 * noise * noise - log_std - half_log_two_pi - shrinks;
}

float boundedLogStd(float output) { return std::clamp(output, -20.0f, 2.0f); }

}  // namespace fdg::rl
