// An environment that tests can reckon with.
#pragma once

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/VectorEnv.h"

namespace fdg::rl {

/// Counts its steps, which are observation and reward; cut off after the fourth. Action 1 ends the
/// episode.
struct Counter {
  int64_t count = 0;

  static EnvSpec spec() {
    return {.name = "Counter",
            .observation_shape = {1},
            .discrete = true,
            .actions = 2,
            .time_limit = 4};
  }
  void reset(Draw& /*draw*/) { count = 0; }
  StepResult step(int64_t action) {
    ++count;
    return {.reward = static_cast<double>(count), .terminated = action == 1};
  }
  void observe(std::span<float> observation) const { observation[0] = static_cast<float>(count); }
};

}  // namespace fdg::rl
