// LanderWorld: the moon, the lander and its two legs in Box2D 2.4.1, from a start and pushes.
//
// The masses, shapes, joints and step of Gymnasium 1.4.0's LunarLander-v3, which uses Box2D 2.3.10:
// the same bodies, moved alike but not to the bit. What comes from the same start by the same
// pushes is the same to the bit in every process. Not copied: Box2D keeps impulses of the last step
// that nothing gives away.
#pragma once

#include <array>
#include <memory>

namespace fdg::rl {

/// What is drawn for an episode.
struct LanderStart {
  std::array<double, 12> heights{};  ///< Of the ground, before smoothing; five are flattened.
  double force_x = 0, force_y = 0;   ///< On the lander before its first step.
};

/// Where the lander is, as Box2D has it: float32.
struct Flight {
  float x = 0, y = 0, angle = 0;
  float velocity_x = 0, velocity_y = 0, turning = 0;
  bool left_touches = false, right_touches = false;
  bool crashed = false;  ///< The lander itself has touched the ground.
  bool asleep = false;   ///< It has come to rest.
};

class LanderWorld {
 public:
  static constexpr double kScale = 30.0;
  static constexpr double kWidth = 600 / kScale, kHeight = 400 / kScale;
  static constexpr double kPadHeight = kHeight / 4;

  explicit LanderWorld(const LanderStart& start);
  ~LanderWorld();

  /// An impulse on the lander at a place of the world.
  void push(double impulse_x, double impulse_y, double x, double y);
  /// A fiftieth of a second.
  void step();
  Flight flight() const;

 private:
  struct Bodies;
  std::unique_ptr<Bodies> bodies_;
};

}  // namespace fdg::rl
