#include "algorithms/envs/Pendulum.h"

#include <cmath>
#include <numbers>

#include "algorithms/envs/PendulumMotion.h"

namespace fdg::rl {
namespace {

using Motion = PendulumMotion<double, float>;

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

StepResult Pendulum::step(std::span<const float> action) {
  const auto widen = [](float x) { return static_cast<double>(x); };
  const Motion moved = Motion{angle, velocity, 0}.turned(action[0], widen);
  angle = moved.angle;
  velocity = moved.velocity;
  return {.reward = -moved.cost};
}

void Pendulum::observe(std::span<float> observation) const {
  observation[0] = static_cast<float>(std::cos(angle));
  observation[1] = static_cast<float>(std::sin(angle));
  observation[2] = static_cast<float>(velocity);
}

EnvKind pendulum() { return environment<Pendulum>(); }

}  // namespace fdg::rl
