// The physics of particle worlds: discs that push themselves, bump into each other, and slow down.
//
// The figures and order of operations of Python's mpe2 (the particle worlds of Lowe et al.,
// "Multi-agent actor-critic for mixed cooperative-competitive environments", 2017): a step of 0.1 s
// moves places by the velocities of before, damps velocities by a quarter, adds forces, and caps
// the speed. Overlapping discs push each other apart, softly.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace fdg::rl {

struct Vector {
  double x = 0, y = 0;
};

inline Vector between(const Vector& from, const Vector& to) {
  return {to.x - from.x, to.y - from.y};
}
inline double length(const Vector& v) { return std::sqrt(v.x * v.x + v.y * v.y); }

struct Disc {
  Vector place, velocity;

  template <class A>
  void archive(A& a) {
    a(place.x, place.y, velocity.x, velocity.y);
  }
};

constexpr double kParticleTimeStep = 0.1;
constexpr double kParticleDamping = 0.25;
constexpr double kParticleContactForce = 100.0;
constexpr double kParticleContactMargin = 1e-3;

/// What a disc is like.
struct DiscKind {
  double radius = 0;
  double push = 0;  ///< Force of its own in an action.
  double most_speed = std::numeric_limits<double>::infinity();
  bool moves = true;
};

bool touch(const Disc& a, const DiscKind& a_kind, const Disc& b, const DiscKind& b_kind);

/// One step. The first discs act (nothing, left, right, down, up); any others do nothing.
void stepDiscs(std::span<Disc> discs, std::span<const DiscKind> kinds,
               std::span<const int64_t> actions);

/// Writes `v` to the front of `to`, and leaves the rest in it.
void writeFloats(const Vector& v, std::span<float>& to);

}  // namespace fdg::rl
