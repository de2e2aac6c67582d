// The motion of CartPole, for numbers (CartPole) and for tensors of them (tensor:CartPole-v1).
//
// The order of the operations is part of the result: it follows Gymnasium's, so that states agree
// to the bit.
#pragma once

#include <cmath>
#include <numbers>

namespace fdg::rl {

template <class T>
struct CartPoleMotion {
  static constexpr double kForce = 10.0;
  static constexpr double kMostPosition = 2.4;
  static constexpr double kMostAngle = 12 * 2 * std::numbers::pi / 360;

  T position, velocity, angle, angular_velocity;

  CartPoleMotion pushed(const T& force) const {
    using std::cos;
    using std::sin;
    const T cosine = cos(angle);
    const T sine = sin(angle);
    const T push =
        (force + kPoleMoment * (angular_velocity * angular_velocity) * sine) / kTotalMass;
    const T angular_acceleration =
        (kGravity * sine - cosine * push) /
        (kHalfLength * (4.0 / 3.0 - kPoleMass * (cosine * cosine) / kTotalMass));
    const T acceleration = push - kPoleMoment * angular_acceleration * cosine / kTotalMass;
    return {position + kTimeStep * velocity, velocity + kTimeStep * acceleration,
            angle + kTimeStep * angular_velocity,
            angular_velocity + kTimeStep * angular_acceleration};
  }

 private:
  static constexpr double kGravity = 9.8;
  static constexpr double kPoleMass = 0.1;
  static constexpr double kTotalMass = kPoleMass + 1.0;
  static constexpr double kHalfLength = 0.5;
  static constexpr double kPoleMoment = kPoleMass * kHalfLength;
  static constexpr double kTimeStep = 0.02;
};

}  // namespace fdg::rl
