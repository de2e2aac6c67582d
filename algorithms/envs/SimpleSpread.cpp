#include "algorithms/envs/SimpleSpread.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {
namespace {

using Vector = SimpleSpread::Vector;

constexpr double kTimeStep = 0.1;
constexpr double kDamping = 0.25;
constexpr double kPush = 5.0;
constexpr double kContactForce = 100.0;
constexpr double kContactMargin = 1e-3;
constexpr double kTouch = 0.15 + 0.15;  // two agents' radii
constexpr double kLocalRatio = 0.5;

Vector between(const Vector& from, const Vector& to) { return {to.x - from.x, to.y - from.y}; }

double length(const Vector& v) { return std::sqrt(v.x * v.x + v.y * v.y); }

/// log(1 + eˣ) without overflow.
double softPlus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

Vector pushOf(int64_t action) {
  switch (action) {
    case 1:
      return {-kPush, 0};
    case 2:
      return {kPush, 0};
    case 3:
      return {0, -kPush};
    case 4:
      return {0, kPush};
    default:
      return {0, 0};
  }
}

void write(const Vector& v, std::span<float>& to) {
  to[0] = static_cast<float>(v.x);
  to[1] = static_cast<float>(v.y);
  to = to.subspan(2);
}

}  // namespace

EnvSpec SimpleSpread::spec() {
  return {.name = "simple_spread",
          .observation_shape = {18},
          .discrete = true,
          .actions = 5,
          .time_limit = 25,
          .agents = kAgents};
}

void SimpleSpread::reset(Draw& draw) {
  for (Each<Vector>* places : {&place, &landmark}) {
    for (Vector& p : *places) {
      p.x = draw.uniform(-1.0, 1.0);
      p.y = draw.uniform(-1.0, 1.0);
    }
  }
  velocity = {};
}

// The order of the operations is part of the result: it follows mpe2's, places before velocities.
WorldEnd SimpleSpread::step(std::span<const int64_t> actions, std::span<double> rewards) {
  Each<Vector> force;
  std::ranges::transform(actions, force.begin(), pushOf);
  for (size_t a = 0; a < kAgents; ++a) {
    for (size_t b = a + 1; b < kAgents; ++b) {
      const Vector apart = between(place[b], place[a]);
      const double distance = length(apart);
      const double depth = softPlus(-(distance - kTouch) / kContactMargin) * kContactMargin;
      const Vector contact = {kContactForce * apart.x / distance * depth,
                              kContactForce * apart.y / distance * depth};
      force[a] = {contact.x + force[a].x, contact.y + force[a].y};
      force[b] = {-contact.x + force[b].x, -contact.y + force[b].y};
    }
  }
  for (size_t a = 0; a < kAgents; ++a) {
    place[a].x += velocity[a].x * kTimeStep;
    place[a].y += velocity[a].y * kTimeStep;
    velocity[a].x = velocity[a].x * (1 - kDamping) + force[a].x * kTimeStep;
    velocity[a].y = velocity[a].y * (1 - kDamping) + force[a].y * kTimeStep;
  }
  double uncovered = 0;
  for (const Vector& mark : landmark) {
    double nearest = INFINITY;
    for (const Vector& p : place) {
      nearest = std::min(nearest, length(between(mark, p)));
    }
    uncovered -= nearest;
  }
  for (size_t a = 0; a < kAgents; ++a) {
    double touched = 0;
    for (size_t b = 0; b < kAgents; ++b) {
      touched -= b != a && length(between(place[a], place[b])) < kTouch ? 1.0 : 0.0;
    }
    rewards[a] = uncovered * (1 - kLocalRatio) + touched * kLocalRatio;
  }
  return {};
}

void SimpleSpread::observe(int64_t agent, std::span<float> observation) const {
  const auto self = static_cast<size_t>(agent);
  std::ranges::fill(observation, 0.0F);
  write(velocity[self], observation);
  write(place[self], observation);
  for (const Vector& mark : landmark) {
    write(between(place[self], mark), observation);
  }
  for (size_t other = 0; other < kAgents; ++other) {
    if (other != self) {
      write(between(place[self], place[other]), observation);
    }
  }
}

EnvKind simpleSpread() { return world<SimpleSpread>(); }

}  // namespace fdg::rl
