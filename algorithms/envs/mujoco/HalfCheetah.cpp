// HalfCheetah-v5: a flat cheetah of six joints shall run forward; its episodes end by the time
// limit only.
#include <limits>

#include "algorithms/envs/mujoco/Locomotion.h"

namespace fdg::rl {
namespace {

bool healthy(const mjModel& /*model*/, const mjData& /*data*/) { return true; }

void observe(const mjModel& model, const mjData& data, Numbers& to) {
  appendPositions(model, data, 1, to);
  appendVelocities(model, data, std::numeric_limits<double>::infinity(), to);
}

}  // namespace

const Locomotion kHalfCheetah = {.name = "HalfCheetah-v5",
                                 .model = "half_cheetah.xml",
                                 .frame_skip = 5,
                                 .noise = 0.1,
                                 .normal_velocities = true,
                                 .control_weight = 0.1,
                                 .healthy_reward = 0,
                                 .healthy = &healthy,
                                 .observe = &observe};

}  // namespace fdg::rl
