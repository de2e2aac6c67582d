// simple_tag: three slow predators hunt one fast prey among two obstacles.
//
// The particle world of Lowe et al., "Multi-agent actor-critic for mixed cooperative-competitive
// environments" (2017), with the figures and steps of simple_tag_v3 in the Python package mpe2
// (discrete actions, its defaults: 25 steps, the prey is agent 3). An agent sees its velocity and
// place, and relative to itself the obstacles and the other agents; predators see the prey's
// velocity as well, where the prey sees two zeros, so that all see 16 numbers. It pushes nowhere,
// left, right, down or up. Reward: 10 for every predator if a predator touches the prey, each time
// for each that does; for the prey −10 for each that does, and up to −10 an axis for leaving ±0.9.
// Never terminates. Agents start uniformly within ±1, obstacles within ±0.9.
#pragma once

#include <array>

#include "algorithms/envs/ParticleWorld.h"
#include "algorithms/envs/WorldsOf.h"

namespace fdg::rl {

struct SimpleTag {
  static constexpr int64_t kPredators = 3, kAgents = 4, kObstacles = 2;
  static constexpr int64_t kPrey = 3;
  static constexpr double kCatch = 10;
  static constexpr DiscKind kPredator = {.radius = 0.075, .push = 3.0, .most_speed = 1.0};
  static constexpr DiscKind kObstacle = {.radius = 0.2, .moves = false};
  static constexpr std::array<DiscKind, kAgents + kObstacles> kKinds = {
      kPredator, kPredator, kPredator, {.radius = 0.05, .push = 4.0, .most_speed = 1.3},
      kObstacle, kObstacle};

  std::array<Disc, kAgents + kObstacles> discs;  ///< Predators, prey, obstacles.

  static EnvSpec spec();
  void reset(Draw& draw);
  WorldEnd step(std::span<const int64_t> actions, std::span<double> rewards);
  void observe(int64_t agent, std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    for (Disc& disc : discs) {
      disc.archive(a);
    }
  }
};

EnvKind simpleTag();

}  // namespace fdg::rl
