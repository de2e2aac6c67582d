// Worlds of several agents: simple_spread against the Python package mpe2, and agents as rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "algorithms/envs/SimpleSpread.h"

namespace fdg::rl {
namespace {

using testing::HasSubstr;

using Vectors = SimpleSpread::Each<SimpleSpread::Vector>;

void read(std::istream& from, Vectors& vectors) {
  for (auto& v : vectors) {
    from >> v.x >> v.y;
  }
}

/// Of what a recorded step gave; `where` names it.
void expectRecorded(std::istream& line, const SimpleSpread& world, std::span<const double> rewards,
                    const std::string& where) {
  std::array<float, 18> seen;
  for (int64_t agent = 0; agent < SimpleSpread::kAgents; ++agent) {
    world.observe(agent, seen);
    for (size_t i = 0; i < seen.size(); ++i) {
      double number = 0;
      line >> number;
      EXPECT_NEAR(seen[i], number, 1e-6) << where << ", agent " << agent << " sees at " << i;
    }
  }
  for (const double reward : rewards) {
    double number = 0;
    line >> number;
    EXPECT_NEAR(reward, number, 1e-7) << where;
  }
}

// Written by record_simple_spread.py from the package.
TEST(SimpleSpread, StepsAsThePythonPackageDoes) {
  std::ifstream recorded(FDG_TEST_SIMPLE_SPREAD);
  SimpleSpread world;
  int64_t steps = 0, episodes = 0, number = 0;
  for (std::string text; std::getline(recorded, text); ++number) {
    std::istringstream line(text);
    std::string kind;
    line >> kind;
    if (kind == "start") {
      world = {};
      read(line, world.place);
      read(line, world.landmark);
      ++episodes;
      continue;
    }
    std::array<int64_t, 3> actions;
    for (int64_t& action : actions) {
      line >> action;
    }
    std::array<double, 3> rewards;
    const WorldEnd end = world.step(actions, rewards);
    EXPECT_FALSE(end.terminated || end.truncated);
    expectRecorded(line, world, rewards, "line " + std::to_string(number + 1));
    ++steps;
    bool cut = false;
    line >> cut;
    EXPECT_EQ(cut, steps % SimpleSpread::spec().time_limit == 0);
    ASSERT_TRUE(line) << text;
  }
  EXPECT_EQ(episodes, 6);
  EXPECT_EQ(steps, 150);
}

torch::Tensor drawActions(const EnvSpec& spec, Rows rows, Stream& stream) {
  auto actions = torch::empty({rows.size()}, torch::kLong);
  for (int64_t r = 0; r < rows.size(); ++r) {
    actions[r] = stream.below(rows.begin + r, spec.actions);
  }
  return actions;
}

/// Observations and rewards of 60 steps: [step, row, …].
std::pair<torch::Tensor, torch::Tensor> walk(VectorEnv& envs, Rows rows, Stream& actions) {
  const EnvSpec spec = SimpleSpread::spec();
  std::vector<torch::Tensor> seen, rewards;
  for (int step = 0; step < 60; ++step) {
    const Outcome outcome = envs.step(drawActions(spec, rows, actions));
    EXPECT_TRUE(outcome.truncated.all().item<bool>() || !outcome.truncated.any().item<bool>());
    seen.push_back(torch::cat({outcome.observation, outcome.final_observation}, 1));
    rewards.push_back(outcome.reward);
  }
  return {torch::stack(seen), torch::stack(rewards)};
}

std::pair<torch::Tensor, torch::Tensor> walkFromStart(Rows rows) {
  VectorEnv envs("simple_spread", rows, Stream(3, "env"));
  envs.reset();
  Stream actions(3, "actions");
  return walk(envs, rows, actions);
}

TEST(Worlds, DoNotDependOnHowTheyAreShared) {
  const auto [seen, rewards] = walkFromStart({0, 12, 12});
  const auto first = walkFromStart({0, 3, 12});
  const auto second = walkFromStart({3, 12, 12});
  EXPECT_TRUE(seen.equal(torch::cat({first.first, second.first}, 1)));
  EXPECT_TRUE(rewards.equal(torch::cat({first.second, second.second}, 1)));
  EXPECT_FALSE(seen.select(1, 0).equal(seen.select(1, 3)));  // worlds differ
}

TEST(Worlds, StartAnewForAllAgentsAtOnce) {
  VectorEnv envs("simple_spread", {0, 6, 6}, Stream(3, "env"));
  const torch::Tensor start = envs.reset();
  Stream actions(3, "actions");
  for (int step = 1; step <= 25; ++step) {
    const Outcome outcome = envs.step(drawActions(SimpleSpread::spec(), {0, 6, 6}, actions));
    EXPECT_EQ(outcome.truncated.all().item<bool>(), step == 25);
    EXPECT_EQ(envs.finishedReturns().weight, step == 25 ? 6 : 0);
    if (step == 25) {
      EXPECT_FALSE(outcome.observation.equal(outcome.final_observation));
      EXPECT_FALSE(outcome.observation.equal(start));
      // Landmark 0, as places of the agents plus what they see of it, is one place.
      const auto places = outcome.observation.slice(1, 2, 4) + outcome.observation.slice(1, 4, 6);
      EXPECT_TRUE(torch::allclose(places[0], places[1], 0, 1e-6));
      EXPECT_TRUE(torch::allclose(places[0], places[2], 0, 1e-6));
      EXPECT_FALSE(torch::allclose(places[0], places[3], 0, 1e-6));
    }
  }
}

TEST(Worlds, RestoredGoOnAsIfNothingHadHappened) {
  const Rows rows = {3, 9, 12};
  VectorEnv envs("simple_spread", rows, Stream(5, "env"));
  Stream actions(5, "actions");
  envs.reset();
  walk(envs, rows, actions);
  value::Parts kept;
  Archive save = Archive::saver(kept);
  envs.archive(save);
  Stream same_actions = actions;
  const auto on = walk(envs, rows, actions);
  VectorEnv other("simple_spread", rows, Stream(99, "other"));
  Archive restore = Archive::restorer(kept);
  other.archive(restore);
  EXPECT_TRUE(walk(other, rows, same_actions).first.equal(on.first));
}

TEST(Worlds, AreNeverCut) {
  for (const Rows rows : {Rows{0, 8, 8}, Rows{1, 4, 9}}) {
    try {
      VectorEnv envs("simple_spread", rows, Stream(1, "env"));
      ADD_FAILURE() << "rows that cut a world were taken";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("run.rows(worlds * 3, 3)"));
    }
  }
  EXPECT_EQ(VectorEnv("simple_spread", {6, 6, 6}, Stream(1, "env")).reset().size(0), 0);
}

}  // namespace
}  // namespace fdg::rl
