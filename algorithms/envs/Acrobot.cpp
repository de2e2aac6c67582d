#include "algorithms/envs/Acrobot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fdg::rl {
namespace {

using State = std::array<double, 4>;

constexpr double kPi = std::numbers::pi;
constexpr double kTimeStep = 0.2;
constexpr double kGravity = 9.8;
constexpr double kCentre = 0.5;  // of mass, along a link; links have length, mass and inertia 1
constexpr double kMostVelocity1 = 4 * kPi;
constexpr double kMostVelocity2 = 9 * kPi;

/// The angle in [-π, π].
double wrapped(double angle) {
  while (angle > kPi) {
    angle -= 2 * kPi;
  }
  while (angle < -kPi) {
    angle += 2 * kPi;
  }
  return angle;
}

/// Time derivative of the state. The order of the operations follows Gymnasium's, so that bits
/// agree.
State derivative(const State& s, double torque) {
  const double cosine2 = std::cos(s[1]);
  const double sine2 = std::sin(s[1]);
  const double d1 =
      kCentre * kCentre + (1.0 + kCentre * kCentre + 2 * kCentre * cosine2) + 1.0 + 1.0;
  const double d2 = (kCentre * kCentre + kCentre * cosine2) + 1.0;
  const double phi2 = kCentre * kGravity * std::cos(s[0] + s[1] - kPi / 2.0);
  const double phi1 = -kCentre * (s[3] * s[3]) * sine2 - 2 * kCentre * s[3] * s[2] * sine2 +
                      (kCentre + 1.0) * kGravity * std::cos(s[0] - kPi / 2) + phi2;
  const double acceleration2 = (torque + d2 / d1 * phi1 - kCentre * (s[2] * s[2]) * sine2 - phi2) /
                               (kCentre * kCentre + 1.0 - d2 * d2 / d1);
  const double acceleration1 = -(d2 * acceleration2 + phi1) / d1;
  return {s[2], s[3], acceleration1, acceleration2};
}

State advanced(const State& s, double by, const State& slope) {
  State result;
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = s[i] + by * slope[i];
  }
  return result;
}

/// One step of the classic fourth-order Runge-Kutta method.
State integrated(const State& s, double torque) {
  const State k1 = derivative(s, torque);
  const State k2 = derivative(advanced(s, kTimeStep / 2, k1), torque);
  const State k3 = derivative(advanced(s, kTimeStep / 2, k2), torque);
  const State k4 = derivative(advanced(s, kTimeStep, k3), torque);
  State slope;
  for (size_t i = 0; i < slope.size(); ++i) {
    slope[i] = k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i];
  }
  return advanced(s, kTimeStep / 6, slope);
}

}  // namespace

EnvSpec Acrobot::spec() {
  return {.name = "Acrobot-v1",
          .observation_shape = {6},
          .discrete = true,
          .actions = 3,
          .time_limit = 500};
}

// The start has float32's precision, as in Gymnasium; later states are float64.
void Acrobot::reset(Draw& draw) {
  for (double& part : state) {
    part = static_cast<float>(draw.uniform(-0.1, 0.1));
  }
}

StepResult Acrobot::step(int64_t action) {
  const State next = integrated(state, static_cast<double>(action - 1));
  state = {wrapped(next[0]), wrapped(next[1]), std::clamp(next[2], -kMostVelocity1, kMostVelocity1),
           std::clamp(next[3], -kMostVelocity2, kMostVelocity2)};
  const bool is_up = -std::cos(state[0]) - std::cos(state[1] + state[0]) > 1.0;
  return {.reward = is_up ? 0.0 : -1.0, .terminated = is_up};
}

void Acrobot::observe(std::span<float> observation) const {
  observation[0] = static_cast<float>(std::cos(state[0]));
  observation[1] = static_cast<float>(std::sin(state[0]));
  observation[2] = static_cast<float>(std::cos(state[1]));
  observation[3] = static_cast<float>(std::sin(state[1]));
  observation[4] = static_cast<float>(state[2]);
  observation[5] = static_cast<float>(state[3]);
}

EnvKind acrobot() { return environment<Acrobot>(); }

}  // namespace fdg::rl
