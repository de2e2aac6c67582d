// Humanoid-v5: a body of 17 joints shall walk forward without falling; observed are also inertia,
// velocity and outer forces of every body, and the forces of the joints.
#include <algorithm>
#include <limits>

#include "algorithms/envs/mujoco/Locomotion.h"

namespace fdg::rl {
namespace {

constexpr double kLeastHeight = 1.0, kMostHeight = 2.0;
constexpr double kContactWeight = 5e-7, kMostContactCost = 10;
constexpr double kAll = std::numeric_limits<double>::infinity();

/// Of the centre of mass.
double position(const mjModel& model, const mjData& data) {
  double sum = 0, mass = 0;
  for (int body = 0; body < model.nbody; ++body) {
    sum += model.body_mass[body] * data.xipos[ptrdiff_t{3} * body];
    mass += model.body_mass[body];
  }
  return sum / mass;
}

bool healthy(const mjModel& /*model*/, const mjData& data) {
  return data.qpos[2] > kLeastHeight && data.qpos[2] < kMostHeight;
}

double contactCost(const mjModel& model, const mjData& data) {
  return std::min(kContactWeight * squaredForces(model, data, kAll), kMostContactCost);
}

void observe(const mjModel& model, const mjData& data, Numbers& to) {
  appendPositions(model, data, 2, to);
  appendVelocities(model, data, kAll, to);
  appendBodies(model, data.cinert, 10, kAll, to);
  appendBodies(model, data.cvel, 6, kAll, to);
  to.insert(to.end(), data.qfrc_actuator + 6, data.qfrc_actuator + model.nv);
  appendBodies(model, data.cfrc_ext, 6, kAll, to);
}

}  // namespace

const Locomotion kHumanoid = {.name = "Humanoid-v5",
                              .model = "humanoid.xml",
                              .frame_skip = 5,
                              .noise = 0.01,
                              .forward_weight = 1.25,
                              .control_weight = 0.1,
                              .wide_control_cost = true,
                              .healthy_reward = 5.0,
                              .has_contacts = true,
                              .position = &position,
                              .healthy = &healthy,
                              .contactCost = &contactCost,
                              .observe = &observe};

}  // namespace fdg::rl
