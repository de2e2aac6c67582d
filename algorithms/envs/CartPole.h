// CartPole-v1: balance a pole on a cart by pushing it left (0) or right (1).
//
// After Barto, Sutton and Anderson, "Neuronlike adaptive elements that can solve difficult learning
// control problems" (1983), with the figures and the Euler steps of Gymnasium 1.4.0's CartPole-v1.
// Observed: position (m), velocity, angle (rad), angular velocity. Reward 1 a step, the last one
// included; terminates beyond 2.4 m or 12 degrees; 500 steps. Starts uniformly within ±0.05.
#pragma once

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

struct CartPole {
  double position = 0, velocity = 0, angle = 0, angular_velocity = 0;

  static EnvSpec spec();
  void reset(Draw& draw);
  StepResult step(int64_t action);
  void observe(std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    a(position, velocity, angle, angular_velocity);
  }
};

EnvKind cartPole();

}  // namespace fdg::rl
