#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/NStep.h"

namespace fdg::rl {
namespace {

/// One step of every row. Observations are numbers.
struct Step {
  std::vector<float> observation, next, last, reward;
  std::vector<bool> terminated, truncated;
};

torch::Tensor column(const std::vector<float>& values) {
  return torch::tensor(values).view({static_cast<int64_t>(values.size()), 1});
}

torch::Tensor flags(const std::vector<bool>& values) {
  auto t = torch::zeros({static_cast<int64_t>(values.size())}, torch::kBool);
  for (size_t i = 0; i < values.size(); ++i) {
    t[static_cast<int64_t>(i)] = bool{values[i]};
  }
  return t;
}

Outcome outcomeOf(const Step& step) {
  return {column(step.next), column(step.last), torch::tensor(step.reward), flags(step.terminated),
          flags(step.truncated)};
}

/// A transition as numbers.
struct Row {
  float observation, reward, next, discount, error;
  bool operator==(const Row&) const = default;
};

void appendRows(std::vector<Row>& rows, const Transitions& t, const torch::Tensor& error = {}) {
  for (int64_t i = 0; i < t.reward.size(0); ++i) {
    rows.push_back({t.observation[i].item<float>(), t.reward[i].item<float>(),
                    t.next_observation[i].item<float>(), t.discount[i].item<float>(),
                    error.defined() ? error[i].item<float>() : 0});
  }
}

torch::Tensor noAction(size_t rows) {
  return torch::zeros({static_cast<int64_t>(rows)}, torch::kInt64);
}

std::vector<Row> pushAll(NStep& nstep, const std::vector<Step>& steps) {
  std::vector<Row> rows;
  for (const Step& step : steps) {
    appendRows(rows,
               nstep.push(column(step.observation), noAction(step.reward.size()), outcomeOf(step)));
  }
  return rows;
}

/// One environment's steps: observation t leads to t + 1; episodes end as told.
std::vector<Step> oneRow(const std::vector<float>& rewards, const std::vector<int>& terminated,
                         const std::vector<int>& truncated) {
  std::vector<Step> steps;
  for (size_t t = 0; t < rewards.size(); ++t) {
    const auto now = static_cast<float>(t);
    const bool term = std::ranges::find(terminated, static_cast<int>(t)) != terminated.end();
    const bool trunc = std::ranges::find(truncated, static_cast<int>(t)) != truncated.end();
    // After an end the next episode starts elsewhere in numbers: the final observation tells them
    // apart.
    steps.push_back(
        {{now}, {now + 1}, {term || trunc ? now + 100 : now + 1}, {rewards[t]}, {term}, {trunc}});
  }
  return steps;
}

void expectNear(const std::vector<Row>& got, const std::vector<Row>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].observation, wanted[i].observation) << i;
    EXPECT_NEAR(got[i].reward, wanted[i].reward, 1e-5) << i;
    EXPECT_EQ(got[i].next, wanted[i].next) << i;
    EXPECT_NEAR(got[i].discount, wanted[i].discount, 1e-6) << i;
  }
}

TEST(NStep, StepsOfOtherNumbersOfRowsAreRefused) {
  const Outcome two = outcomeOf({{0, 1}, {1, 2}, {1, 2}, {0, 0}, {false, false}, {false, false}});
  const auto push = [&](NStep& steps, int64_t observed, int64_t acted) {
    steps.push(torch::zeros({observed, 1}), torch::zeros({acted}, torch::kLong), two);
  };
  for (const auto& [observed, acted] : {std::pair<int64_t, int64_t>{5, 5}, {1, 1}, {2, 1}, {2, 3}}) {
    NStep fresh(1, 0.9);
    EXPECT_THROW(push(fresh, observed, acted), UserError) << observed << " " << acted;
  }
  NStep steps(2, 0.9);
  push(steps, 2, 2);
  EXPECT_THROW(push(steps, 3, 3), UserError);
  EXPECT_THROW(steps.push({}, torch::zeros({2}, torch::kLong), two), UserError);
  Outcome doubles = two;
  doubles.reward = two.reward.to(torch::kDouble);
  EXPECT_THROW(steps.push(torch::zeros({2, 1}), torch::zeros({2}, torch::kLong), doubles), UserError);
}

TEST(NStep, Case15BootstrapsWithGammaToTheN) {
  NStep nstep(3, 0.9);
  const auto rows = pushAll(nstep, oneRow({1, 1, 1}, {}, {}));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NEAR(rows[0].reward + rows[0].discount * 10, 10.0, 1e-5);
}

TEST(NStep, Case16TruncationAndTerminationEndTheSum) {
  NStep nstep(3, 0.9);
  expectNear(pushAll(nstep, oneRow({1, 2, 3, 4, 5, 6}, {2}, {5})), {{0, 5.23f, 102, 0, 0},
                                                                    {1, 4.7f, 102, 0, 0},
                                                                    {2, 3, 102, 0, 0},
                                                                    {3, 13.36f, 105, 0.729f, 0},
                                                                    {4, 10.4f, 105, 0.81f, 0},
                                                                    {5, 6, 105, 0.9f, 0}});
}

TEST(NStep, Case17DoesNotMixEnvironments) {
  NStep nstep(3, 0.9);
  std::vector<Step> steps;
  for (int t = 0; t < 3; ++t) {
    const auto now = static_cast<float>(t);
    steps.push_back({{now, now + 50},
                     {now + 1, now + 51},
                     {now + 1, now + 51},
                     {1, 10},
                     {false, false},
                     {false, false}});
  }
  const auto rows = pushAll(nstep, steps);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[0].reward, 2.71, 1e-5);
  EXPECT_NEAR(rows[1].reward, 27.1, 1e-5);
}

TEST(NStep, Case18NoStepOfAnEpisodeIsLost) {
  NStep nstep(3, 1);
  const auto rows = pushAll(nstep, oneRow({1, 1, 1}, {2}, {}));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.back().reward, 1);
}

TEST(NStep, Case22UsesTheFinalObservationNotTheOneAfterTheReset) {
  NStep nstep(1, 0.5);
  std::vector<Row> rows;
  const Step step = {{4}, {0}, {5}, {1}, {false}, {true}};
  appendRows(rows, nstep.push(column(step.observation), noAction(1), outcomeOf(step)));
  EXPECT_EQ(rows.at(0).next, 5);
  EXPECT_EQ(rows.at(0).discount, 0.5f);
}

TEST(NStep, ATerminationWinsOverATruncationInTheSameStep) {
  NStep nstep(2, 0.9);
  EXPECT_EQ(pushAll(nstep, oneRow({1, 1}, {1}, {1})).at(0).discount, 0);
}

TEST(NStep, SumsTheSignsOfRewardsIfAsked) {
  NStep nstep(3, 0.5, /*signs=*/true);
  const auto rows = pushAll(nstep, oneRow({7, 0, -20}, {2}, {}));
  EXPECT_EQ(rows.at(0).reward, 1 - 0.25f);
  EXPECT_EQ(rows.at(2).reward, -1);
}

TEST(NStep, RefusesWhatIsNoReturn) {
  EXPECT_THROW(NStep(0, 0.9), UserError);
  EXPECT_THROW(NStep(1, 1.1), UserError);
  EXPECT_THROW(NStep(1, NAN), UserError);
}

struct RandomRun {
  std::vector<Step> steps;
  std::vector<ActedValues> values;
};

RandomRun randomRun(Stream& stream, int64_t envs, int64_t length) {
  RandomRun run;
  std::vector<float> now(static_cast<size_t>(envs));
  float fresh = 1;
  for (int64_t t = 0; t < length; ++t) {
    Step step;
    step.observation = now;
    ActedValues values = {torch::zeros({envs}), torch::zeros({envs}), torch::zeros({envs})};
    for (int64_t e = 0; e < envs; ++e) {
      const int64_t end = stream.below(0, 8);
      step.reward.push_back(static_cast<float>(stream.normal()));
      step.terminated.push_back(end == 0);
      step.truncated.push_back(end == 1);
      step.last.push_back(fresh++);
      step.next.push_back(end < 2 ? fresh++ : step.last.back());
      values.taken[e] = stream.normal();
      values.best[e] = stream.normal();
      values.final_best[e] = end == 1 ? stream.normal() : 0.0;
      now[static_cast<size_t>(e)] = step.next.back();
    }
    run.steps.push_back(step);
    run.values.push_back(values);
  }
  return run;
}

/// All transitions of one environment, each computed from its own start.
std::vector<Row> byDefinition(const RandomRun& run, size_t env, size_t n, double gamma,
                              bool with_values) {
  std::vector<Row> rows;
  for (size_t start = 0; start < run.steps.size(); ++start) {
    double sum = 0, factor = 1;
    for (size_t k = 0; start + k < run.steps.size(); ++k) {
      const Step& step = run.steps[start + k];
      sum += factor * step.reward[env];
      factor *= gamma;
      const bool ended = step.terminated[env] || step.truncated[env];
      if (!ended && k + 1 < n) {
        continue;
      }
      if (!ended && with_values && start + k + 1 == run.steps.size()) {
        break;  // its last observation has not been acted in
      }
      const auto e = static_cast<int64_t>(env);
      const float discount = step.terminated[env] ? 0 : static_cast<float>(factor);
      const float value = ended ? run.values[start + k].final_best[e].item<float>()
                          : start + k + 1 < run.steps.size()
                              ? run.values[start + k + 1].best[e].item<float>()
                              : 0;
      const float taken = run.values[start].taken[e].item<float>();
      rows.push_back(
          {run.steps[start].observation[env], static_cast<float>(sum), step.last[env], discount,
           with_values ? std::abs(static_cast<float>(sum) + discount * value - taken) : 0});
      break;
    }
  }
  return rows;
}

TEST(NStep, AgreesWithTheDefinitionOnRandomRuns) {
  Stream stream(7, "nstep");
  for (int round = 0; round < 60; ++round) {
    const int64_t n = 1 + stream.below(0, 5);
    const double gamma = stream.uniform(0, 0.5, 1);
    const RandomRun run = randomRun(stream, 1, 40);
    NStep plain(n, gamma);
    EXPECT_EQ(pushAll(plain, run.steps),
              byDefinition(run, 0, static_cast<size_t>(n), gamma, false));
    NStep valued(n, gamma);
    std::vector<Row> rows;
    for (size_t t = 0; t < run.steps.size(); ++t) {
      const Step& step = run.steps[t];
      const Experience e =
          valued.push(column(step.observation), noAction(1), outcomeOf(step), run.values[t]);
      appendRows(rows, e.transitions, e.error);
    }
    EXPECT_EQ(rows, byDefinition(run, 0, static_cast<size_t>(n), gamma, true));
  }
}

Step rowsOf(const Step& step, size_t first, size_t last) {
  const auto cut = [&](const auto& values) {
    return std::remove_cvref_t<decltype(values)>(values.begin() + static_cast<long>(first),
                                                 values.begin() + static_cast<long>(last));
  };
  return {cut(step.observation), cut(step.next),       cut(step.last),
          cut(step.reward),      cut(step.terminated), cut(step.truncated)};
}

TEST(NStep, SharesOneAfterTheOtherAreTheWhole) {
  Stream stream(8, "shares");
  const RandomRun run = randomRun(stream, 5, 60);
  NStep whole(3, 0.9), front(3, 0.9), back(3, 0.9);
  for (const Step& step : run.steps) {
    const auto all = pushAll(whole, {step});
    auto parts = pushAll(front, {rowsOf(step, 0, 2)});
    const auto rest = pushAll(back, {rowsOf(step, 2, 5)});
    parts.insert(parts.end(), rest.begin(), rest.end());
    EXPECT_EQ(parts, all);
  }
}

}  // namespace
}  // namespace fdg::rl
