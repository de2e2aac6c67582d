#include "algorithms/envs/CartPole.h"

#include <cmath>

#include "algorithms/envs/CartPoleMotion.h"

namespace fdg::rl {
namespace {

using Motion = CartPoleMotion<double>;

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

StepResult CartPole::step(int64_t action) {
  const double force = action == 1 ? Motion::kForce : -Motion::kForce;
  const Motion moved = Motion{position, velocity, angle, angular_velocity}.pushed(force);
  position = moved.position;
  velocity = moved.velocity;
  angle = moved.angle;
  angular_velocity = moved.angular_velocity;
  return {.reward = 1.0,
          .terminated =
              std::abs(position) > Motion::kMostPosition || std::abs(angle) > Motion::kMostAngle};
}

void CartPole::observe(std::span<float> observation) const {
  observation[0] = static_cast<float>(position);
  observation[1] = static_cast<float>(velocity);
  observation[2] = static_cast<float>(angle);
  observation[3] = static_cast<float>(angular_velocity);
}

EnvKind cartPole() { return environment<CartPole>(); }

}  // namespace fdg::rl
