#include "algorithms/envs/SimpleSpread.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {
namespace {

constexpr DiscKind kAgent = {.radius = 0.15, .push = 5.0};
constexpr std::array<DiscKind, SimpleSpread::kAgents> kKinds = {kAgent, kAgent, kAgent};
constexpr double kLocalRatio = 0.5;

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
  const auto anywhere = [&](Vector& p) {
    p.x = draw.uniform(-1.0, 1.0);
    p.y = draw.uniform(-1.0, 1.0);
  };
  for (Disc& agent : agents) {
    anywhere(agent.place);
    agent.velocity = {};
  }
  std::ranges::for_each(landmarks, anywhere);
}

WorldEnd SimpleSpread::step(std::span<const int64_t> actions, std::span<double> rewards) {
  stepDiscs(agents, kKinds, actions);
  double uncovered = 0;
  for (const Vector& mark : landmarks) {
    double nearest = INFINITY;
    for (const Disc& agent : agents) {
      nearest = std::min(nearest, length(between(mark, agent.place)));
    }
    uncovered -= nearest;
  }
  for (size_t a = 0; a < kAgents; ++a) {
    double touched = 0;
    for (size_t b = 0; b < kAgents; ++b) {
      touched -= b != a && touch(agents[a], kAgent, agents[b], kAgent) ? 1.0 : 0.0;
    }
    rewards[a] = uncovered * (1 - kLocalRatio) + touched * kLocalRatio;
  }
  return {};
}

void SimpleSpread::observe(int64_t agent, std::span<float> observation) const {
  const Disc& self = agents[static_cast<size_t>(agent)];
  std::ranges::fill(observation, 0.0F);
  writeFloats(self.velocity, observation);
  writeFloats(self.place, observation);
  for (const Vector& mark : landmarks) {
    writeFloats(between(self.place, mark), observation);
  }
  for (const Disc& other : agents) {
    if (&other != &self) {
      writeFloats(between(self.place, other.place), observation);
    }
  }
}

EnvKind simpleSpread() { return world<SimpleSpread>(); }

}  // namespace fdg::rl
