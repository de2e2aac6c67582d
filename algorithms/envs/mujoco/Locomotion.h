// Locomotion: a walking robot as data, in what the tasks differ; LocomotionRows steps any of them.
//
// The figures are those of Gymnasium 1.4.0's classes of version 5 with their default arguments. A
// step holds the action for `frame_skip` steps of MuJoCo. Reward: forward_weight × the progress of
// position() in a second, healthy_reward while healthy, minus control_weight × the sum of the
// squared action, minus contactCost(). An episode ends when the robot is not healthy, and by the
// time limit of 1,000 steps. Actions beyond their bounds are clipped by MuJoCo, and cost what they
// are.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <span>
#include <vector>

namespace fdg::rl {

using Numbers = std::vector<double>;

double rootPosition(const mjModel& model, const mjData& data);
double noContactCost(const mjModel& model, const mjData& data);

/// With what most robots have.
struct Locomotion {
  const char* name;
  const char* model;  ///< File among Gymnasium's assets.
  int frame_skip;
  double noise;                    ///< Of a start: positions uniform within ± noise of the model's, …
  bool normal_velocities = false;  ///< … velocities normal with this deviation, or uniform as well.
  double forward_weight = 1.0;
  double control_weight;
  /// Gymnasium squares the action as it is, float32, or as MuJoCo has it, float64.
  bool wide_control_cost = false;
  double healthy_reward = 1.0;
  /// Whether forces of contacts are looked at, so that they must be computed.
  bool has_contacts = false;
  double (*position)(const mjModel& model, const mjData& data) = &rootPosition;
  bool (*healthy)(const mjModel& model, const mjData& data);
  double (*contactCost)(const mjModel& model, const mjData& data) = &noContactCost;
  /// Appends what is observed.
  void (*observe)(const mjModel& model, const mjData& data, Numbers& observation);
};

extern const Locomotion kAnt, kHalfCheetah, kHopper, kHumanoid, kWalker2d;

// What several robots share.

/// Of a flat robot that falls: all but its place, and velocities clipped to ± 10.
void observeFlat(const mjModel& model, const mjData& data, Numbers& to);
/// Positions from the number `skipped` on.
void appendPositions(const mjModel& model, const mjData& data, int skipped, Numbers& to);
/// Velocities, clipped to ± most.
void appendVelocities(const mjModel& model, const mjData& data, double most, Numbers& to);
/// `width` numbers of every body but the world, which is body 0.
void appendBodies(const mjModel& model, const mjtNum* values, int width, double most, Numbers& to);
/// Forces from outside on all bodies, the world among them: the sum of their squares.
double squaredForces(const mjModel& model, const mjData& data, double most);

}  // namespace fdg::rl
