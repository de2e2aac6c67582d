// Ant-v5: four legs of two joints each shall walk forward; observed are also the forces on every
// body, clipped to ±1.
#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/envs/mujoco/Locomotion.h"

namespace fdg::rl {
namespace {

constexpr double kLeastHeight = 0.2, kMostHeight = 1.0, kMostForce = 1.0, kContactWeight = 5e-4;
constexpr int kTorso = 1;

/// Of the torso as of the last substep's beginning, where MuJoCo computes places of bodies.
double position(const mjModel& /*model*/, const mjData& data) {
  return data.xpos[ptrdiff_t{3} * kTorso];
}

bool healthy(const mjModel& model, const mjData& data) {
  const auto isFinite = [](double x) { return std::isfinite(x); };
  return std::all_of(data.qpos, data.qpos + model.nq, isFinite) &&
         std::all_of(data.qvel, data.qvel + model.nv, isFinite) && data.qpos[2] >= kLeastHeight &&
         data.qpos[2] <= kMostHeight;
}

double contactCost(const mjModel& model, const mjData& data) {
  return kContactWeight * squaredForces(model, data, kMostForce);
}

void observe(const mjModel& model, const mjData& data, Numbers& to) {
  appendPositions(model, data, 2, to);
  appendVelocities(model, data, std::numeric_limits<double>::infinity(), to);
  appendBodies(model, data.cfrc_ext, 6, kMostForce, to);
}

}  // namespace

const Locomotion kAnt = {.name = "Ant-v5",
                         .model = "ant.xml",
                         .frame_skip = 5,
                         .noise = 0.1,
                         .normal_velocities = true,
                         .control_weight = 0.5,
                         .has_contacts = true,
                         .position = &position,
                         .healthy = &healthy,
                         .contactCost = &contactCost,
                         .observe = &observe};

}  // namespace fdg::rl
