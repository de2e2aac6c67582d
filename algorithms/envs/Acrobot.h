// Acrobot-v1: swing the tip of a two-link pendulum above a line by a torque on the joint (-1, 0 or
// 1).
//
// After Sutton, "Generalization in reinforcement learning: successful examples using sparse coarse
// coding" (1996), with the book's dynamics and the figures of Gymnasium 1.4.0's Acrobot-v1: one
// Runge-Kutta step of 0.2 s. Observed: cosine and sine of both angles (0: hanging, the second
// relative to the first), angular velocities within ±4π and ±9π. Reward -1 a step, 0 for the last;
// terminates when the tip is one link above the pivot; 500 steps. Starts uniformly within ±0.1.
#pragma once

#include <array>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

struct Acrobot {
  std::array<double, 4> state{};  ///< Two angles, two angular velocities.

  static EnvSpec spec();
  void reset(Draw& draw);
  StepResult step(int64_t action);
  void observe(std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    a(state[0], state[1], state[2], state[3]);
  }
};

EnvKind acrobot();

}  // namespace fdg::rl
