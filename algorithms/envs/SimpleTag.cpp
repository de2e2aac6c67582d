#include "algorithms/envs/SimpleTag.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {
namespace {

/// What the prey loses for being so far out.
double outside(double place) {
  const double x = std::abs(place);
  if (x < 0.9) {
    return 0;
  }
  return x < 1.0 ? (x - 0.9) * 10 : std::min(std::exp(2 * x - 2), 10.0);
}

}  // namespace

EnvSpec SimpleTag::spec() {
  return {.name = "simple_tag",
          .observation_shape = {16},
          .discrete = true,
          .actions = 5,
          .time_limit = 25,
          .agents = kAgents};
}

void SimpleTag::reset(Draw& draw) {
  for (size_t i = 0; i < discs.size(); ++i) {
    const double most = i < kAgents ? 1.0 : 0.9;
    discs[i] = {};
    discs[i].place.x = draw.uniform(-most, most);
    discs[i].place.y = draw.uniform(-most, most);
  }
}

WorldEnd SimpleTag::step(std::span<const int64_t> actions, std::span<double> rewards) {
  stepDiscs(discs, kKinds, actions);
  const Disc& prey = discs[kPrey];
  double caught = 0;
  for (size_t i = 0; i < kPredators; ++i) {
    caught += touch(discs[i], kKinds[i], prey, kKinds[kPrey]) ? kCatch : 0;
  }
  std::ranges::fill(rewards.first(kPredators), caught);
  rewards[kPrey] = -caught - outside(prey.place.x) - outside(prey.place.y);
  return {};
}

void SimpleTag::observe(int64_t agent, std::span<float> observation) const {
  const Disc& self = discs[static_cast<size_t>(agent)];
  std::ranges::fill(observation, 0.0F);
  writeFloats(self.velocity, observation);
  writeFloats(self.place, observation);
  for (size_t i = kAgents; i < discs.size(); ++i) {
    writeFloats(between(self.place, discs[i].place), observation);
  }
  for (size_t i = 0; i < kAgents; ++i) {
    if (&discs[i] != &self) {
      writeFloats(between(self.place, discs[i].place), observation);
    }
  }
  if (agent != kPrey) {
    writeFloats(discs[kPrey].velocity, observation);
  }
}

EnvKind simpleTag() { return world<SimpleTag>(); }

}  // namespace fdg::rl
