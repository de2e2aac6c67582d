#include "algorithms/envs/mujoco/Locomotion.h"

#include <algorithm>

namespace fdg::rl {
namespace {

void append(const mjtNum* values, int count, double most, Numbers& to) {
  for (int i = 0; i < count; ++i) {
    to.push_back(std::clamp(values[i], -most, most));
  }
}

}  // namespace

double rootPosition(const mjModel& /*model*/, const mjData& data) { return data.qpos[0]; }

double noContactCost(const mjModel& /*model*/, const mjData& /*data*/) { return 0; }

void appendPositions(const mjModel& model, const mjData& data, int skipped, Numbers& to) {
  to.insert(to.end(), data.qpos + skipped, data.qpos + model.nq);
}

void appendVelocities(const mjModel& model, const mjData& data, double most, Numbers& to) {
  append(data.qvel, model.nv, most, to);
}

void observeFlat(const mjModel& model, const mjData& data, Numbers& to) {
  constexpr double kMostSeenVelocity = 10;
  appendPositions(model, data, 1, to);
  appendVelocities(model, data, kMostSeenVelocity, to);
}

void appendBodies(const mjModel& model, const mjtNum* values, int width, double most, Numbers& to) {
  append(values + width, (model.nbody - 1) * width, most, to);
}

double squaredForces(const mjModel& model, const mjData& data, double most) {
  double sum = 0;
  for (int i = 0; i < 6 * model.nbody; ++i) {
    const double force = std::clamp(data.cfrc_ext[i], -most, most);
    sum += force * force;
  }
  return sum;
}

}  // namespace fdg::rl
