// MountainCar-v0: leave a valley in a car that is too weak to drive straight up (left 0, coast 1,
// right 2).
//
// After Moore, "Efficient memory-based learning for robot control" (1990), with the figures of
// Gymnasium 1.4.0's MountainCar-v0. Observed: position in [-1.2, 0.6], velocity within ±0.07.
// Reward -1 a step; terminates at position 0.5; 200 steps. Starts uniformly in [-0.6, -0.4], at
// rest.
#pragma once

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

struct MountainCar {
  double position = 0, velocity = 0;

  static EnvSpec spec();
  void reset(Draw& draw);
  StepResult step(int64_t action);
  void observe(std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    a(position, velocity);
  }
};

EnvKind mountainCar();

}  // namespace fdg::rl
