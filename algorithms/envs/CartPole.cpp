#include "algorithms/envs/CartPole.h"

#include <cmath>
#include <numbers>

namespace fdg::rl {
namespace {

constexpr double kGravity = 9.8;
constexpr double kPoleMass = 0.1;
constexpr double kTotalMass = kPoleMass + 1.0;
constexpr double kHalfLength = 0.5;
constexpr double kPoleMoment = kPoleMass * kHalfLength;
constexpr double kForce = 10.0;
constexpr double kTimeStep = 0.02;
constexpr double kMostPosition = 2.4;
constexpr double kMostAngle = 12 * 2 * std::numbers::pi / 360;

}  // namespace

EnvSpec CartPole::spec() {
  return {.name = "CartPole-v1",
          .observation_shape = {4},
          .discrete = true,
          .actions = 2,
          .time_limit = 500};
}

void CartPole::reset(Draw& draw) {
  for (double* part : {&position, &velocity, &angle, &angular_velocity}) {
    *part = draw.uniform(-0.05, 0.05);
  }
}

// The order of the operations is part of the result: it follows Gymnasium's, so that states agree
// to the bit.
StepResult CartPole::step(int64_t action) {
  const double force = action == 1 ? kForce : -kForce;
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  const double push =
      (force + kPoleMoment * (angular_velocity * angular_velocity) * sine) / kTotalMass;
  const double angular_acceleration =
      (kGravity * sine - cosine * push) /
      (kHalfLength * (4.0 / 3.0 - kPoleMass * (cosine * cosine) / kTotalMass));
  const double acceleration = push - kPoleMoment * angular_acceleration * cosine / kTotalMass;
  position += kTimeStep * velocity;
  velocity += kTimeStep * acceleration;
  angle += kTimeStep * angular_velocity;
  angular_velocity += kTimeStep * angular_acceleration;
  return {.reward = 1.0,
          .terminated = std::abs(position) > kMostPosition || std::abs(angle) > kMostAngle};
}

void CartPole::observe(std::span<float> observation) const {
  observation[0] = static_cast<float>(position);
  observation[1] = static_cast<float>(velocity);
  observation[2] = static_cast<float>(angle);
  observation[3] = static_cast<float>(angular_velocity);
}

EnvKind cartPole() { return environment<CartPole>(); }

}  // namespace fdg::rl
