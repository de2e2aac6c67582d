// Hopper-v5: a flat leg of three joints shall hop forward without falling.
#include <algorithm>
#include <cmath>

#include "algorithms/envs/mujoco/Locomotion.h"

namespace fdg::rl {
namespace {

constexpr double kMostState = 100, kLeastHeight = 0.7, kMostAngle = 0.2;

bool healthy(const mjModel& model, const mjData& data) {
  const auto isSmall = [](double x) { return std::abs(x) < kMostState; };  // false for NaN
  return std::all_of(data.qpos + 2, data.qpos + model.nq, isSmall) &&
         std::all_of(data.qvel, data.qvel + model.nv, isSmall) && data.qpos[1] > kLeastHeight &&
         data.qpos[1] < INFINITY && std::abs(data.qpos[2]) < kMostAngle;
}

}  // namespace

const Locomotion kHopper = {.name = "Hopper-v5",
                            .model = "hopper.xml",
                            .frame_skip = 4,
                            .noise = 5e-3,
                            .control_weight = 1e-3,
                            .healthy = &healthy,
                            .observe = &observeFlat};

}  // namespace fdg::rl
