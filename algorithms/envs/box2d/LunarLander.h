// LunarLander-v3 and LunarLanderContinuous-v3: land softly between the flags by three engines.
//
// The rules and rewards of Gymnasium 1.4.0's LunarLander-v3 with default arguments (no wind), on
// the physics of LanderWorld. Observed: place relative to the pad, velocity, angle, turning, and
// whether either leg touches. Discrete actions: nothing, left engine, main engine, right engine.
// Continuous: main engine (from 0 on, half to full power) and side engines (beyond ±0.5). Reward:
// what brings the lander nearer to rest on the pad, minus fuel; −100 for a crash or for flying
// away, 100 for coming to rest, which end the episode. 1,000 steps. Engines push by chance a bit
// askew; starts are pushed by chance, above ground drawn by chance.
//
// Saved is what an episode was made of: its start and every push. Restoring flies it again, up to
// 1,000 steps a row, about 10 ms, because Box2D does not give away all that its next step depends
// on.
#pragma once

#include <optional>
#include <vector>

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/box2d/LanderWorld.h"

namespace fdg::rl {

/// What the engines do in a step.
struct Engines {
  double main = 0;       ///< Power, 0 to 1.
  double side = 0;       ///< Power, 0 to 1.
  double direction = 0;  ///< −1: left, 1: right.
  double askew_x = 0, askew_y = 0;
};

/// The rules, apart from how an action becomes engines.
class LanderTask {
 public:
  static constexpr bool kSpread = true;  // 40 µs a step

  void reset(Draw& draw);
  /// How askew the engines of the next step are.
  void prepare(Draw& draw);
  void observe(std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    a(start_, steps_);
    if constexpr (requires { a.saving(); }) {
      if (!a.saving()) {
        flyAgain();
      }
    }
  }

  // For tests.
  const LanderStart& start() const { return start_; }
  const Engines& lastEngines() const { return steps_.back(); }
  Flight flight() const { return world_->flight(); }

 protected:
  StepResult fly(Engines engines);

 private:
  void apply(const Engines& engines);
  void flyAgain();
  std::array<double, 8> seen() const;
  double worth() const;

  LanderStart start_;
  Engines prepared_;  // of it only how askew they are; needs no saving, since each step sets it
  std::vector<Engines> steps_;  // of the running episode; the first is without engines
  std::unique_ptr<LanderWorld> world_;
};

struct LunarLander : LanderTask {
  static EnvSpec spec();
  StepResult step(int64_t action);
};

struct LunarLanderContinuous : LanderTask {
  static EnvSpec spec();
  StepResult step(std::span<const float> action);
};

}  // namespace fdg::rl
