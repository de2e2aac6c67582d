#include "algorithms/envs/MountainCarContinuous.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {
namespace {

constexpr double kLeastPosition = -1.2;
constexpr double kMostPosition = 0.6;
constexpr double kMostVelocity = 0.07;
constexpr double kGoal = 0.45;
constexpr double kPower = 0.0015;
constexpr double kGravity = 0.0025;

/// The change of velocity. A force within the bounds is float32 and makes the sum so; a clipped one
/// is exact.
template <class Number>
Number accelerated(Number velocity, float force, double slope) {
  if (std::abs(force) <= 1.0F) {
    return velocity +
           static_cast<Number>(force * static_cast<float>(kPower) - static_cast<float>(slope));
  }
  return velocity + static_cast<Number>((force > 0 ? kPower : -kPower) - slope);
}

/// Moves the car with every operation in Number's precision.
template <class Number>
bool drive(Number& position, Number& velocity, float force) {
  const double slope = kGravity * std::cos(static_cast<double>(3 * position));
  const auto most_velocity = static_cast<Number>(kMostVelocity);
  const auto least_position = static_cast<Number>(kLeastPosition);
  velocity = std::clamp(accelerated(velocity, force, slope), -most_velocity, most_velocity);
  position = std::clamp(position + velocity, least_position, static_cast<Number>(kMostPosition));
  if (position == least_position && velocity < 0) {
    velocity = 0;  // the wall on the left
  }
  return position >= static_cast<Number>(kGoal) && velocity >= 0;
}

}  // namespace

EnvSpec MountainCarContinuous::spec() {
  return {.name = "MountainCarContinuous-v0",
          .observation_shape = {2},
          .discrete = false,
          .actions = 1,
          .low = {-1.0},
          .high = {1.0},
          .time_limit = 999};
}

void MountainCarContinuous::reset(Draw& draw) {
  position = draw.uniform(-0.6, -0.4);
  velocity = 0;
  at_start = true;
}

StepResult MountainCarContinuous::step(std::span<const float> action) {
  bool reached = false;
  auto narrow_position = static_cast<float>(position);
  auto narrow_velocity = static_cast<float>(velocity);
  if (at_start) {
    reached = drive(position, velocity, action[0]);
    narrow_position = static_cast<float>(position);
    narrow_velocity = static_cast<float>(velocity);
  } else {
    reached = drive(narrow_position, narrow_velocity, action[0]);
  }
  position = narrow_position;
  velocity = narrow_velocity;
  at_start = false;
  const double force = action[0];
  return {.reward = (reached ? 100.0 : 0.0) - force * force * 0.1, .terminated = reached};
}

void MountainCarContinuous::observe(std::span<float> observation) const {
  observation[0] = static_cast<float>(position);
  observation[1] = static_cast<float>(velocity);
}

EnvKind mountainCarContinuous() { return environment<MountainCarContinuous>(); }

}  // namespace fdg::rl
