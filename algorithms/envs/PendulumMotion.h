// The motion of Pendulum, for numbers (Pendulum) and for tensors of them (tensor:Pendulum-v1).
//
// What depends on the torque alone is float32 as in Gymnasium, where the action is; the state is
// float64.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fdg::rl {

namespace detail {

/// The remainder takes the divisor's sign, as in Python. Tensors have a function of this name.
inline double remainder(double value, double divisor) {
  const double rest = std::fmod(value, divisor);
  return rest < 0 ? rest + divisor : rest;
}
inline double clamp(double value, double low, double high) { return std::clamp(value, low, high); }
inline float clamp(float value, float low, float high) { return std::clamp(value, low, high); }

}  // namespace detail

/// T is double, F is float, or both are tensors of them.
template <class T, class F>
struct PendulumMotion {
  static constexpr float kMostTorque = 2.0F;

  T angle, velocity;
  T cost;  ///< Of the step that led here.

  /// `widen` makes a T of an F.
  template <class Widen>
  PendulumMotion turned(const F& action, const Widen& widen) const {
    using detail::clamp;
    using detail::remainder;
    using std::sin;
    constexpr double kTurn = 2 * std::numbers::pi;
    const F torque = clamp(action, -kMostTorque, kMostTorque);
    const T off = remainder(angle + std::numbers::pi, kTurn) - std::numbers::pi;
    const T effort = widen(F(0.001F * (torque * torque)));
    const T spent = off * off + 0.1 * (velocity * velocity) + effort;
    const T turning = widen(F(3.0F * torque));
    const T faster = velocity + (3 * kGravity / 2 * sin(angle) + turning) * kTimeStep;
    const T capped = clamp(faster, -kMostVelocity, kMostVelocity);
    return {angle + capped * kTimeStep, capped, spent};
  }

 private:
  static constexpr double kGravity = 10.0;
  static constexpr double kTimeStep = 0.05;
  static constexpr double kMostVelocity = 8.0;
};

}  // namespace fdg::rl
