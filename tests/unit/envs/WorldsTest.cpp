// Worlds of several agents: against the Python package mpe2, and agents as rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "algorithms/envs/SimpleSpread.h"
#include "algorithms/envs/SimpleTag.h"

namespace fdg::rl {
namespace {

using testing::HasSubstr;

/// Of what a recorded step gave; `where` names it.
template <class W>
void expectRecorded(std::istream& line, const W& world, std::span<const double> rewards,
                    const std::string& where) {
  std::vector<float> seen(static_cast<size_t>(W::spec().observationSize()));
  for (int64_t agent = 0; agent < W::kAgents; ++agent) {
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
    EXPECT_NEAR(reward, number, 1e-7 * std::max(1.0, std::abs(number))) << where;
  }
}

/// Steps what a Python program recorded again. `places` are those that a start draws, in order.
template <class W>
void expectStepsAsRecorded(const std::string& file, int64_t recorded_episodes,
                           const std::function<std::vector<Vector*>(W&)>& places) {
  std::ifstream recorded(file);
  W world;
  int64_t steps = 0, episodes = 0, number = 0;
  for (std::string text; std::getline(recorded, text); ++number) {
    std::istringstream line(text);
    std::string kind;
    line >> kind;
    if (kind == "start") {
      world = {};
      for (Vector* place : places(world)) {
        line >> place->x >> place->y;
      }
      ++episodes;
      continue;
    }
    std::array<int64_t, W::kAgents> actions;
    for (int64_t& action : actions) {
      line >> action;
    }
    std::array<double, W::kAgents> rewards;
    const WorldEnd end = world.step(actions, rewards);
    EXPECT_FALSE(end.terminated || end.truncated);
    expectRecorded(line, world, rewards, "line " + std::to_string(number + 1));
    ++steps;
    bool cut = false;
    line >> cut;
    EXPECT_EQ(cut, steps % W::spec().time_limit == 0);
    ASSERT_TRUE(line) << text;
  }
  EXPECT_EQ(episodes, recorded_episodes);
  EXPECT_EQ(steps, recorded_episodes * W::spec().time_limit);
}

// Written by record_simple_spread.py from the package.
TEST(SimpleSpread, StepsAsThePythonPackageDoes) {
  expectStepsAsRecorded<SimpleSpread>(FDG_TEST_WORLDS "/simple_spread.txt", 6,
                                      [](SimpleSpread& world) {
                                        std::vector<Vector*> places;
                                        for (Disc& agent : world.agents) {
                                          places.push_back(&agent.place);
                                        }
                                        for (Vector& mark : world.landmarks) {
                                          places.push_back(&mark);
                                        }
                                        return places;
                                      });
}

// Written by record_simple_tag.py.
TEST(SimpleTag, StepsAsThePythonPackageDoes) {
  expectStepsAsRecorded<SimpleTag>(FDG_TEST_WORLDS "/simple_tag.txt", 8, [](SimpleTag& world) {
    std::vector<Vector*> places;
    for (Disc& disc : world.discs) {
      places.push_back(&disc.place);
    }
    return places;
  });
}

TEST(SimpleTag, StartsWhereTheRulesSay) {
  fdg::Stream stream(4, "tag");
  double most_agent = 0, most_obstacle = 0;
  for (int64_t row = 0; row < 300; ++row) {
    Draw draw(stream, row);
    SimpleTag world;
    world.reset(draw);
    for (size_t i = 0; i < world.discs.size(); ++i) {
      double& most = i < SimpleTag::kAgents ? most_agent : most_obstacle;
      most = std::max({most, std::abs(world.discs[i].place.x), std::abs(world.discs[i].place.y)});
      EXPECT_EQ(length(world.discs[i].velocity), 0);
    }
  }
  EXPECT_NEAR(most_agent, 1.0, 0.01);
  EXPECT_NEAR(most_obstacle, 0.9, 0.01);
}

torch::Tensor drawActions(const EnvSpec& spec, Rows rows, Stream& stream) {
  auto actions = torch::empty({rows.size()}, torch::kLong);
  for (int64_t r = 0; r < rows.size(); ++r) {
    actions[r] = stream.below(rows.begin + r, spec.actions);
  }
  return actions;
}

/// Observations and rewards of 60 steps: [step, row, …].
std::pair<torch::Tensor, torch::Tensor> walk(VectorEnv& envs, const EnvSpec& spec, Rows rows,
                                             Stream& actions) {
  std::vector<torch::Tensor> seen, rewards;
  for (int step = 0; step < 60; ++step) {
    const Outcome outcome = envs.step(drawActions(spec, rows, actions));
    EXPECT_TRUE(outcome.truncated.all().item<bool>() || !outcome.truncated.any().item<bool>());
    seen.push_back(torch::cat({outcome.observation, outcome.final_observation}, 1));
    rewards.push_back(outcome.reward);
  }
  return {torch::stack(seen), torch::stack(rewards)};
}

std::pair<torch::Tensor, torch::Tensor> walkFromStart(const std::string& name, Rows rows) {
  VectorEnv envs(name, rows, Stream(3, "env"));
  envs.reset();
  Stream actions(3, "actions");
  return walk(envs, envSpec(name), rows, actions);
}

class Worlds : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, Worlds,
                         testing::Values("simple_spread", "simple_tag", "tensor:simple_tag"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

TEST_P(Worlds, DoNotDependOnHowTheyAreShared) {
  const int64_t agents = envSpec(GetParam()).agents;
  const int64_t rows = 4 * agents;
  const auto [seen, rewards] = walkFromStart(GetParam(), {0, rows, rows});
  const auto first = walkFromStart(GetParam(), {0, agents, rows});
  const auto second = walkFromStart(GetParam(), {agents, rows, rows});
  EXPECT_TRUE(seen.equal(torch::cat({first.first, second.first}, 1)));
  EXPECT_TRUE(rewards.equal(torch::cat({first.second, second.second}, 1)));
  EXPECT_FALSE(seen.select(1, 0).equal(seen.select(1, agents)));  // worlds differ
}

TEST(SimpleSpread, StartsAnewForAllAgentsAtOnce) {
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

TEST_P(Worlds, RestoredGoOnAsIfNothingHadHappened) {
  const EnvSpec spec = envSpec(GetParam());
  const Rows rows = {spec.agents, 3 * spec.agents, 4 * spec.agents};
  VectorEnv envs(GetParam(), rows, Stream(5, "env"));
  Stream actions(5, "actions");
  envs.reset();
  walk(envs, spec, rows, actions);
  value::Parts kept;
  Archive save = Archive::saver(kept);
  envs.archive(save);
  Stream same_actions = actions;
  const auto on = walk(envs, spec, rows, actions);
  VectorEnv other(GetParam(), rows, Stream(99, "other"));
  Archive restore = Archive::restorer(kept);
  other.archive(restore);
  EXPECT_TRUE(walk(other, spec, rows, same_actions).first.equal(on.first));
}

TEST(SimpleSpread, IsNeverCut) {
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
