// Hopper-v5: a flat leg of three joints shall hop forward without falling.
#include <algorithm>
#include <cmath>

#include "algorithms/envs/mujoco/Locomotion.h"

namespace fdg::rl {
namespace {

constexpr double kMostState = 100, kLeastHeight = 0.7, kMostAngle = 0.2, kMostSeenVelocity = 10;

bool healthy(const mjModel& model, const mjData& data) {
  const auto isSmall = [](double x) { return std::abs(x) < kMostState; };  // false for NaN
  return std::all_of(data.qpos + 2, data.qpos + model.nq, isSmall) &&
         std::all_of(data.qvel, data.qvel + model.nv, isSmall) && data.qpos[1] > kLeastHeight &&
         data.qpos[1] < INFINITY && std::abs(data.qpos[2]) < kMostAngle;
}

void observe(const mjModel& model, const mjData& data, Numbers& to) {
  appendPositions(model, data, 1, to);
  appendVelocities(model, data, kMostSeenVelocity, to);
}

}  // namespace

const Locomotion kHopper = {.name = "Hopper-v5",
                            .model = "hopper.xml",
                            .frame_skip = 4,
                            .noise = 5e-3,
                            .normal_velocities = false,
                            .forward_weight = 1.0,
                            .control_weight = 1e-3,
                            .wide_control_cost = false,
                            .healthy_reward = 1.0,
                            .has_contacts = false,
                            .position = &rootPosition,
                            .healthy = &healthy,
                            .contactCost = &noContactCost,
                            .observe = &observe};

}  // namespace fdg::rl
