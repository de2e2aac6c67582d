#include "algorithms/envs/Pendulum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fdg::rl {
namespace {

constexpr double kGravity = 10.0;
constexpr double kTimeStep = 0.05;
constexpr double kMostVelocity = 8.0;
constexpr float kMostTorque = 2.0F;

/// The angle modulo 2π in [-π, π). The remainder takes the divisor's sign, as in Python.
double wrapped(double angle) {
  constexpr double kTurn = 2 * std::numbers::pi;
  double rest = std::fmod(angle + std::numbers::pi, kTurn);
  if (rest < 0) {
    rest += kTurn;
  }
  return rest - std::numbers::pi;
}

}  // namespace

EnvSpec Pendulum::spec() {
  return {.name = "Pendulum-v1",
          .observation_shape = {3},
          .discrete = false,
          .actions = 1,
          .low = {-2.0},
          .high = {2.0},
          .time_limit = 200};
}

void Pendulum::reset(Draw& draw) {
  angle = draw.uniform(-std::numbers::pi, std::numbers::pi);
  velocity = draw.uniform(-1.0, 1.0);
}

// What depends on the torque alone is float32 as in Gymnasium, where the action is; the state is
// float64.
StepResult Pendulum::step(std::span<const float> action) {
  const float torque = std::clamp(action[0], -kMostTorque, kMostTorque);
  const double off = wrapped(angle);
  const double effort = 0.001F * (torque * torque);
  const double cost = off * off + 0.1 * (velocity * velocity) + effort;
  const double turning = 3.0F * torque;
  velocity += (3 * kGravity / 2 * std::sin(angle) + turning) * kTimeStep;
  velocity = std::clamp(velocity, -kMostVelocity, kMostVelocity);
  angle += velocity * kTimeStep;
  return {.reward = -cost};
}

void Pendulum::observe(std::span<float> observation) const {
  observation[0] = static_cast<float>(std::cos(angle));
  observation[1] = static_cast<float>(std::sin(angle));
  observation[2] = static_cast<float>(velocity);
}

EnvKind pendulum() { return environment<Pendulum>(); }

}  // namespace fdg::rl
