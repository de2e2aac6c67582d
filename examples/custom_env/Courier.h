// Courier: walk across a 5 × 5 yard to a parcel, while gusts of wind push you astray.
//
// An environment of your own is one struct for one row: spec, reset, step, observe, archive.
// Everything else is the library's: rows, time limit, resets, statistics, checks of actions.
// Observed: how far the parcel is to the right and above, each divided by 4. Actions: right, left,
// up, down. A gust (one step in ten) replaces the action by a random one. Reward 1 at the parcel,
// which ends the episode, otherwise -0.05; 50 steps.
#pragma once

#include <fdg/rl.h>

#include <algorithm>

struct Courier {
  int64_t x = 0, y = 0, parcel_x = 0, parcel_y = 0;

  FDG_PURE static rl::EnvSpec spec() {
    return {.name = "Courier",
            .observation_shape = {2},
            .discrete = true,
            .actions = 4,
            .time_limit = 50};
  }

  void reset(rl::Draw& draw) {
    x = draw.below(5);
    y = draw.below(5);
    do {
      parcel_x = draw.below(5);
      parcel_y = draw.below(5);
    } while (parcel_x == x && parcel_y == y);
  }

  rl::StepResult step(int64_t action, rl::Draw& draw) {
    if (draw.below(10) == 0) {
      action = draw.below(4);
    }
    x = std::clamp<int64_t>(x + (action == 0) - (action == 1), 0, 4);
    y = std::clamp<int64_t>(y + (action == 2) - (action == 3), 0, 4);
    const bool found = x == parcel_x && y == parcel_y;
    return {.reward = found ? 1.0 : -0.05, .terminated = found};
  }

  void observe(std::span<float> observation) const {
    observation[0] = static_cast<float>(parcel_x - x) / 4;
    observation[1] = static_cast<float>(parcel_y - y) / 4;
  }

  template <class A>
  void archive(A& a) {
    a(x, y, parcel_x, parcel_y);
  }
};
