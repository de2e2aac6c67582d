#include "algorithms/envs/MountainCar.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {
namespace {

constexpr double kLeastPosition = -1.2;
constexpr double kMostPosition = 0.6;
constexpr double kMostVelocity = 0.07;
constexpr double kGoal = 0.5;
constexpr double kForce = 0.001;
constexpr double kGravity = 0.0025;

}  // namespace

EnvSpec MountainCar::spec() {
  return {.name = "MountainCar-v0",
          .observation_shape = {2},
          .discrete = true,
          .actions = 3,
          .time_limit = 200};
}

void MountainCar::reset(Draw& draw) {
  position = draw.uniform(-0.6, -0.4);
  velocity = 0;
}

StepResult MountainCar::step(int64_t action) {
  velocity += static_cast<double>(action - 1) * kForce + std::cos(3 * position) * -kGravity;
  velocity = std::clamp(velocity, -kMostVelocity, kMostVelocity);
  position = std::clamp(position + velocity, kLeastPosition, kMostPosition);
  if (position == kLeastPosition && velocity < 0) {
    velocity = 0;  // the wall on the left
  }
  return {.reward = -1.0, .terminated = position >= kGoal && velocity >= 0};
}

void MountainCar::observe(std::span<float> observation) const {
  observation[0] = static_cast<float>(position);
  observation[1] = static_cast<float>(velocity);
}

EnvKind mountainCar() { return environment<MountainCar>(); }

}  // namespace fdg::rl
