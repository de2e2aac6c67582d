#include "algorithms/parts/Optimizer.h"

#include <cmath>

#include "algorithms/parts/DenseKernels.h"

namespace fdg::rl {
namespace {

/// What a gradient is multiplied by.
float clipScale(std::span<const float> gradient, double max_norm) {
  return max_norm > 0 ? static_cast<float>(std::min(1.0, max_norm / (normOf(gradient) + 1e-6)))
                      : 1.0f;
}

}  // namespace

Adam::Adam(int64_t parameters, double epsilon, double beta1, double beta2)
    : epsilon_(epsilon),
      beta1_(beta1),
      beta2_(beta2),
      first_(static_cast<size_t>(parameters)),
      second_(static_cast<size_t>(parameters)) {}

void Adam::step(std::span<const float> gradient, double learning_rate, double max_norm,
                std::vector<float>& parameters) {
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const AdamStep how = {
      .learning_rate = static_cast<float>(learning_rate / (1 - std::pow(beta1_, t))),
      .beta1 = static_cast<float>(beta1_),
      .beta2 = static_cast<float>(beta2_),
      .second_correction = static_cast<float>(1 / (1 - std::pow(beta2_, t))),
      .epsilon = static_cast<float>(epsilon_),
      .scale = clipScale(gradient, max_norm),
  };
  adamStep(how, static_cast<int64_t>(parameters.size()), gradient.data(), first_.data(),
           second_.data(), parameters.data());
}

RmsProp::RmsProp(int64_t parameters, double epsilon, double decay)
    : epsilon_(epsilon), decay_(decay), squares_(static_cast<size_t>(parameters)) {}

void RmsProp::step(std::span<const float> gradient, double learning_rate, double max_norm,
                   std::vector<float>& parameters) {
  rmsPropStep({.learning_rate = static_cast<float>(learning_rate),
               .decay = static_cast<float>(decay_),
               .epsilon = static_cast<float>(epsilon_),
               .scale = clipScale(gradient, max_norm)},
              static_cast<int64_t>(parameters.size()), gradient.data(), squares_.data(),
              parameters.data());
}

CentredRmsProp::CentredRmsProp(int64_t parameters, double epsilon, double decay)
    : epsilon_(epsilon),
      decay_(decay),
      means_(static_cast<size_t>(parameters)),
      squares_(static_cast<size_t>(parameters)) {}

void CentredRmsProp::step(std::span<const float> gradient, double learning_rate, double max_norm,
                          std::vector<float>& parameters) {
  centredRmsPropStep({.learning_rate = static_cast<float>(learning_rate),
                      .decay = static_cast<float>(decay_),
                      .epsilon = static_cast<float>(epsilon_),
                      .scale = clipScale(gradient, max_norm)},
                     static_cast<int64_t>(parameters.size()), gradient.data(), means_.data(),
                     squares_.data(), parameters.data());
}

void follow(const std::vector<float>& online, double rate, std::vector<float>& target) {
  if (rate == 1) {
    target = online;
    return;
  }
  const auto part = static_cast<float>(rate);
  for (size_t i = 0; i < target.size(); ++i) {
    target[i] += part * (online[i] - target[i]);
  }
}

void decay(std::span<float> parameters, double part) {
  const auto kept = static_cast<float>(1 - part);
  for (float& parameter : parameters) {
    parameter *= kept;
  }
}

double normOf(std::span<const float> gradient) {
  double lanes[8] = {};  // eight sums, so that additions overlap
  for (size_t i = 0; i < gradient.size(); ++i) {
    const double g = gradient[i];
    lanes[i % 8] += g * g;
  }
  double sum = 0;
  for (const double lane : lanes) {
    sum += lane;
  }
  return std::sqrt(sum);
}

}  // namespace fdg::rl
