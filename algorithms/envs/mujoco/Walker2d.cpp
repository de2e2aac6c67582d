// Walker2d-v5: two flat legs of six joints shall walk forward without falling.
#include <cmath>

#include "algorithms/envs/mujoco/Locomotion.h"

namespace fdg::rl {
namespace {

constexpr double kLeastHeight = 0.8, kMostHeight = 2.0, kMostAngle = 1.0;

bool healthy(const mjModel& /*model*/, const mjData& data) {
  return data.qpos[1] > kLeastHeight && data.qpos[1] < kMostHeight &&
         std::abs(data.qpos[2]) < kMostAngle;
}

}  // namespace

const Locomotion kWalker2d = {.name = "Walker2d-v5",
                              .model = "walker2d_v5.xml",
                              .frame_skip = 4,
                              .noise = 5e-3,
                              .control_weight = 1e-3,
                              .healthy = &healthy,
                              .observe = &observeFlat};

}  // namespace fdg::rl
