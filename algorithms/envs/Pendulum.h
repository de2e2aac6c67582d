// Pendulum-v1: swing a pendulum up and hold it there by a torque in [-2, 2].
//
// The figures and semi-implicit Euler steps of Gymnasium 1.4.0's Pendulum-v1. Observed: cosine and
// sine of the angle (0: up), angular velocity within ±8. Reward: minus the squared angle (wrapped
// into [-π, π)), 0.1 × the squared velocity and 0.001 × the squared torque, before the step. Never
// terminates; 200 steps. Torques outside the bounds are clipped. Starts uniformly: angle within ±π,
// velocity within ±1.
#pragma once

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

struct Pendulum {
  double angle = 0, velocity = 0;

  static EnvSpec spec();
  void reset(Draw& draw);
  StepResult step(std::span<const float> action);
  void observe(std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    a(angle, velocity);
  }
};

EnvKind pendulum();

}  // namespace fdg::rl
