#include "algorithms/envs/ParticleWorld.h"

#include <array>

#include "base/Check.h"

namespace fdg::rl {
namespace {

constexpr size_t kMost = 16;  // discs in a world

/// log(1 + eˣ) without overflow.
double softPlus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

Vector pushOf(int64_t action, double push) {
  switch (action) {
    case 1:
      return {-push, 0};
    case 2:
      return {push, 0};
    case 3:
      return {0, -push};
    case 4:
      return {0, push};
    default:
      return {0, 0};
  }
}

/// On `a`; on `b` it is the opposite.
Vector contact(const Disc& a, const DiscKind& a_kind, const Disc& b, const DiscKind& b_kind) {
  const Vector apart = between(b.place, a.place);
  const double distance = length(apart);
  const double reach = a_kind.radius + b_kind.radius;
  const double depth =
      softPlus(-(distance - reach) / kParticleContactMargin) * kParticleContactMargin;
  return {kParticleContactForce * apart.x / distance * depth,
          kParticleContactForce * apart.y / distance * depth};
}

void move(Disc& disc, const DiscKind& kind, const Vector& force) {
  disc.place.x += disc.velocity.x * kParticleTimeStep;
  disc.place.y += disc.velocity.y * kParticleTimeStep;
  Vector& v = disc.velocity;
  v = {v.x * (1 - kParticleDamping) + force.x * kParticleTimeStep,
       v.y * (1 - kParticleDamping) + force.y * kParticleTimeStep};
  if (const double speed = length(v); speed > kind.most_speed) {
    v = {v.x / speed * kind.most_speed, v.y / speed * kind.most_speed};
  }
}

}  // namespace

bool touch(const Disc& a, const DiscKind& a_kind, const Disc& b, const DiscKind& b_kind) {
  return length(between(a.place, b.place)) < a_kind.radius + b_kind.radius;
}

// The order of the operations is part of the result: it follows mpe2's, places before velocities.
void stepDiscs(std::span<Disc> discs, std::span<const DiscKind> kinds,
               std::span<const int64_t> actions) {
  FDG_CHECK(discs.size() <= kMost && discs.size() == kinds.size(), "discs of a particle world");
  std::array<Vector, kMost> force{};
  for (size_t i = 0; i < actions.size(); ++i) {
    force[i] = pushOf(actions[i], kinds[i].push);
  }
  for (size_t a = 0; a < discs.size(); ++a) {
    for (size_t b = a + 1; b < discs.size(); ++b) {
      const Vector push = contact(discs[a], kinds[a], discs[b], kinds[b]);
      force[a] = {push.x + force[a].x, push.y + force[a].y};
      force[b] = {-push.x + force[b].x, -push.y + force[b].y};
    }
  }
  for (size_t i = 0; i < discs.size(); ++i) {
    if (kinds[i].moves) {
      move(discs[i], kinds[i], force[i]);
    }
  }
}

void writeFloats(const Vector& v, std::span<float>& to) {
  to[0] = static_cast<float>(v.x);
  to[1] = static_cast<float>(v.y);
  to = to.subspan(2);
}

}  // namespace fdg::rl
