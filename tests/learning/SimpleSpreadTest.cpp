// MAPPO on simple_spread, between what chance gives and what a planner gives that knows the world.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#define FDG_PLAN  // no main() from the program
#include "algorithms/mappo.cpp"
#include "tests/learning/Recorder.h"

namespace fdg::test {
namespace {

constexpr int64_t kAgents = 3;
constexpr int64_t kWorlds = 500;

/// Mean return of an agent over one episode of every world.
double playBy(const std::function<torch::Tensor(const torch::Tensor&)>& act) {
  const int64_t rows = kWorlds * kAgents;
  rl::VectorEnv envs("simple_spread", {0, rows, rows}, Stream(12345, "test"));
  torch::Tensor seen = envs.reset();
  while (envs.finishedReturns().weight == 0) {
    seen = envs.step(act(seen)).observation;
  }
  return envs.finishedReturns().value;
}

/// Where landmark m lies from an agent that moves on without pushing.
std::array<float, 2> away(const float* seen, int64_t m) {
  constexpr float kRolls = 0.4F;  // velocity · time step / damping
  return {seen[4 + 2 * m] - kRolls * seen[0], seen[5 + 2 * m] - kRolls * seen[1]};
}

int64_t pushTowards(const std::array<float, 2>& target) {
  const bool across = std::abs(target[0]) > std::abs(target[1]);
  const float most = across ? target[0] : target[1];
  if (std::abs(most) < 0.1F) {
    return 0;  // a push leads 0.2 further
  }
  return (across ? 1 : 3) + (most > 0 ? 1 : 0);
}

/// Each agent goes to a landmark of its own; of all ways to share them out, the shortest.
torch::Tensor plan(const torch::Tensor& seen) {
  auto actions = torch::empty({seen.size(0)}, torch::kLong);
  const int64_t size = seen.size(1);
  for (int64_t first = 0; first < seen.size(0); first += kAgents) {
    const float* world = seen.data_ptr<float>() + first * size;
    std::array<int64_t, kAgents> order = {0, 1, 2};
    std::array<int64_t, kAgents> best = order;
    double shortest = INFINITY;
    do {
      double way = 0;
      for (int64_t i = 0; i < kAgents; ++i) {
        const auto target = away(world + i * size, order[static_cast<size_t>(i)]);
        way += std::hypot(target[0], target[1]);
      }
      if (way < shortest) {
        shortest = way;
        best = order;
      }
    } while (std::ranges::next_permutation(order).found);
    for (int64_t i = 0; i < kAgents; ++i) {
      actions[first + i] = pushTowards(away(world + i * size, best[static_cast<size_t>(i)]));
    }
  }
  return actions;
}

double playedByChance() {
  Stream draws(1, "chance");
  return playBy([&](const torch::Tensor& seen) {
    auto actions = torch::empty({seen.size(0)}, torch::kLong);
    for (int64_t r = 0; r < seen.size(0); ++r) {
      actions[r] = draws.below(r, 5);
    }
    return actions;
  });
}

/// What mappo's saved weights give.
double playedByMappo(const MappoConfig& cfg) {
  Recorder record(1);
  fdg::Run run(record);
  mappo(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  const auto layout =
      rl::NetworkLayout::parse(rl::centralCritic(spec, cfg.ppo.hidden, cfg.separate));
  const auto weights = weightsOf(record.saved.at("model"), layout);
  return playBy([&](const torch::Tensor& seen) { return rl::actGreedily(spec, weights, seen); });
}

TEST(SimpleSpread, MappoComesCloserToTheBestThanHalfTheWayFromChance) {
  const double chance = playedByChance();
  const double planned = playBy(plan);
  for (const bool separate : {true, false}) {
    MappoConfig cfg;
    cfg.separate = separate;
    const double learned = playedByMappo(cfg);
    std::printf("chance %.2f, planned %.2f, %s networks %.2f\n", chance, planned,
                separate ? "separate" : "shared", learned);
    EXPECT_LT(2 * (planned - learned), planned - chance);
  }
}

}  // namespace
}  // namespace fdg::test
