// simple_spread: three agents shall cover three landmarks without bumping into each other.
//
// The particle world of Lowe et al., "Multi-agent actor-critic for mixed cooperative-competitive
// environments" (2017), with the figures and steps of simple_spread_v3 in the Python package mpe2
// (discrete actions, its defaults: three agents, 25 steps, local ratio 0.5). An agent sees its
// velocity and place, and relative to itself the landmarks and the other agents (then four zeros:
// nobody speaks), and pushes nowhere, left, right, down or up. Reward: half of minus the landmarks'
// distances to their nearest agents, and half of −1 for each agent it touches. Never terminates.
// Agents and landmarks start uniformly within ±1.
#pragma once

#include <array>

#include "algorithms/envs/ParticleWorld.h"
#include "algorithms/envs/WorldsOf.h"

namespace fdg::rl {

struct SimpleSpread {
  static constexpr int64_t kAgents = 3;

  std::array<Disc, kAgents> agents;
  std::array<Vector, kAgents> landmarks;

  static EnvSpec spec();
  void reset(Draw& draw);
  WorldEnd step(std::span<const int64_t> actions, std::span<double> rewards);
  void observe(int64_t agent, std::span<float> observation) const;

  template <class A>
  void archive(A& a) {
    a(agents, landmarks);
  }
};

EnvKind simpleSpread();

}  // namespace fdg::rl
