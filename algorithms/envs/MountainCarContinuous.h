// MountainCarContinuous-v0: the car in the valley, driven by a force in [-1, 1].
//
// The figures of Gymnasium 1.4.0's MountainCarContinuous-v0. Observed: position in [-1.2, 0.6],
// velocity within ±0.07. Reward -0.1 × the squared action, and 100 for reaching position 0.45,
// which terminates; 999 steps. Forces outside the bounds are clipped, but paid for as given.
// Starts uniformly in [-0.6, -0.4], at rest.
#pragma once

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

struct MountainCarContinuous {
  double position = 0, velocity = 0;
  bool at_start =
      true;  ///< Gymnasium steps in float64 from a start and in float32 from later states.

  static EnvSpec spec();
  void reset(Draw& draw);
  StepResult step(std::span<const float> action);
  void observe(std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    a(position, velocity, at_start);
  }
};

EnvKind mountainCarContinuous();

}  // namespace fdg::rl
