#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/SideLibrary.h"
#include "algorithms/envs/VectorEnv.h"
#include "tests/unit/envs/Counter.h"
#include "tests/unit/envs/MessageOf.h"

namespace fdg::rl {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<const char*> kNative = {
    "Acrobot-v1",     "CartPole-v1",
    "MountainCar-v0", "MountainCarContinuous-v0",
    "Pendulum-v1",
#ifdef FDG_TEST_BOX2D
    "LunarLander-v3", "LunarLanderContinuous-v3",
#endif
#ifdef FDG_TEST_MUJOCO
    "Ant-v5",         "HalfCheetah-v5",
    "Hopper-v5",      "Humanoid-v5",
    "Walker2d-v5",
#endif
};

torch::Tensor randomActions(const EnvSpec& spec, Rows rows, Stream& stream) {
  std::vector<torch::Tensor> actions;
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    actions.push_back(spec.discrete ? torch::full({1}, stream.below(row, spec.actions))
                                    : torch::full({1, spec.actions},
                                                  stream.uniform(row, spec.low[0], spec.high[0]),
                                                  torch::kFloat));
  }
  return torch::cat(actions);
}

/// Everything that stepping gives, joined along the rows' dimension (the second).
struct Trace {
  torch::Tensor observation, final_observation, reward, terminated, truncated;

  bool operator==(const Trace& other) const {
    return torch::equal(observation, other.observation) &&
           torch::equal(final_observation, other.final_observation) &&
           torch::equal(reward, other.reward) && torch::equal(terminated, other.terminated) &&
           torch::equal(truncated, other.truncated);
  }
};

Trace stack(const std::vector<Outcome>& steps) {
  std::vector<torch::Tensor> parts[5];
  for (const Outcome& o : steps) {
    const torch::Tensor all[] = {o.observation, o.final_observation, o.reward, o.terminated,
                                 o.truncated};
    for (size_t i = 0; i < 5; ++i) {
      parts[i].push_back(all[i]);
    }
  }
  return {torch::stack(parts[0]), torch::stack(parts[1]), torch::stack(parts[2]),
          torch::stack(parts[3]), torch::stack(parts[4])};
}

Trace join(const Trace& a, const Trace& b) {
  return {torch::cat({a.observation, b.observation}, 1),
          torch::cat({a.final_observation, b.final_observation}, 1),
          torch::cat({a.reward, b.reward}, 1), torch::cat({a.terminated, b.terminated}, 1),
          torch::cat({a.truncated, b.truncated}, 1)};
}

std::vector<Outcome> walk(VectorEnv& envs, const EnvSpec& spec, Rows rows, Stream& actions,
                          int64_t steps) {
  std::vector<Outcome> outcomes;
  for (int64_t i = 0; i < steps; ++i) {
    outcomes.push_back(envs.step(randomActions(spec, rows, actions)));
  }
  return outcomes;
}

Trace traceOf(const std::string& name, Rows rows, uint64_t seed = 43, int64_t steps = 300) {
  const EnvSpec spec = envSpec(name);
  VectorEnv envs(name, rows, Stream(seed, "env"));
  Stream actions(seed, "actions");
  envs.reset();
  return stack(walk(envs, spec, rows, actions, steps));
}

class NativeEnv : public testing::TestWithParam<const char*> {};

TEST_P(NativeEnv, TensorsHaveTheDocumentedShapesAndTypes) {
  const EnvSpec spec = envSpec(GetParam());
  VectorEnv envs(GetParam(), {2, 5, 8}, Stream(1, "env"));
  const torch::Tensor first = envs.reset();
  std::vector<int64_t> shape = spec.observation_shape;
  shape.insert(shape.begin(), 3);
  EXPECT_EQ(first.sizes(), shape);
  Stream actions(1, "actions");
  const Outcome outcome = envs.step(randomActions(spec, {2, 5, 8}, actions));
  EXPECT_EQ(outcome.observation.sizes(), shape);
  EXPECT_EQ(outcome.observation.scalar_type(), torch::kFloat);
  EXPECT_EQ(outcome.final_observation.sizes(), shape);
  EXPECT_EQ(outcome.reward.sizes(), (std::vector<int64_t>{3}));
  EXPECT_EQ(outcome.reward.scalar_type(), torch::kFloat);
  EXPECT_EQ(outcome.terminated.scalar_type(), torch::kBool);
  EXPECT_EQ(outcome.truncated.scalar_type(), torch::kBool);
}

TEST_P(NativeEnv, RowsDoNotDependOnHowTheyAreShared) {
  const Trace whole = traceOf(GetParam(), {0, 8, 8});
  EXPECT_EQ(whole, join(traceOf(GetParam(), {0, 4, 8}), traceOf(GetParam(), {4, 8, 8})));
  EXPECT_EQ(whole, join(traceOf(GetParam(), {0, 3, 8}), traceOf(GetParam(), {3, 8, 8})));
}

TEST_P(NativeEnv, SameSeedSameResultsAnotherSeedOthers) {
  EXPECT_EQ(traceOf(GetParam(), {0, 4, 4}, 7), traceOf(GetParam(), {0, 4, 4}, 7));
  EXPECT_FALSE(traceOf(GetParam(), {0, 4, 4}, 7) == traceOf(GetParam(), {0, 4, 4}, 8));
}

// Case 27: parallel environments must not be copies of each other.
TEST_P(NativeEnv, FirstObservationsDifferByRow) {
  VectorEnv envs(GetParam(), {0, 8, 8}, Stream(43, "env"));
  VectorEnv again(GetParam(), {0, 8, 8}, Stream(43, "env"));
  const torch::Tensor first = envs.reset();
  EXPECT_TRUE(torch::equal(first, again.reset()));
  for (int64_t i = 0; i < 8; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      EXPECT_FALSE(torch::equal(first[i], first[j])) << "rows " << i << " and " << j;
    }
  }
}

TEST_P(NativeEnv, StepsAreFreshTensors) {
  const EnvSpec spec = envSpec(GetParam());
  const Rows rows{0, 2, 2};
  VectorEnv envs(GetParam(), rows, Stream(1, "env"));
  Stream actions(1, "actions");
  envs.reset();
  const Outcome first = envs.step(randomActions(spec, rows, actions));
  const torch::Tensor kept = first.observation.clone();
  first.final_observation.fill_(9);
  EXPECT_TRUE(torch::equal(first.observation, kept));
  envs.step(randomActions(spec, rows, actions));
  EXPECT_TRUE(torch::equal(first.observation, kept));
}

TEST_P(NativeEnv, RestoredEnvironmentsGoOnAsIfNothingHadHappened) {
  const EnvSpec spec = envSpec(GetParam());
  const Rows rows{1, 4, 6};
  VectorEnv envs(GetParam(), rows, Stream(5, "env"));
  Stream actions(5, "actions");
  envs.reset();
  walk(envs, spec, rows, actions, 130);
  value::Parts kept;
  Archive save = Archive::saver(kept);
  envs.archive(save);
  Stream same_actions = actions;
  const Trace on = stack(walk(envs, spec, rows, actions, 600));
  VectorEnv other(GetParam(), rows, Stream(99, "other"));
  Archive restore = Archive::restorer(kept);
  other.archive(restore);
  EXPECT_EQ(stack(walk(other, spec, rows, same_actions, 600)), on);
  EXPECT_EQ(other.finishedReturns().value, envs.finishedReturns().value);
}

TEST_P(NativeEnv, NoRowsAreFine) {
  const EnvSpec spec = envSpec(GetParam());
  VectorEnv envs(GetParam(), {3, 3, 8}, Stream(1, "env"));
  EXPECT_EQ(envs.reset().size(0), 0);
  const torch::Tensor none =
      spec.discrete ? torch::empty({0}, torch::kLong) : torch::empty({0, spec.actions});
  EXPECT_EQ(envs.step(none).reward.size(0), 0);
  EXPECT_EQ(envs.finishedReturns().weight, 0);
}

INSTANTIATE_TEST_SUITE_P(All, NativeEnv, testing::ValuesIn(kNative), [](const auto& tested) {
  std::string name = tested.param;
  std::erase(name, '-');
  std::ranges::replace(name, ':', '_');
  return name;
});

// Case 28: no result may depend on which thread steps a row.
TEST_P(NativeEnv, ResultsDoNotDependOnTheNumberOfThreads) {
  const Rows rows{0, 32, 32};
  const Trace one = traceOf(GetParam(), rows, 123, 10);
  for (const char* threads : {"2", "3", "40"}) {
    setenv("FDG_ENV_THREADS", threads, 1);
    EXPECT_EQ(traceOf(GetParam(), rows, 123, 10), one) << threads << " threads";
    EXPECT_EQ(traceOf(GetParam(), rows, 123, 10), one) << threads << " threads, once more";
  }
  unsetenv("FDG_ENV_THREADS");
}

TEST(VectorEnv, RefusesActionsWithASentence) {
  VectorEnv envs("CartPole-v1", {4, 7, 8}, Stream(1, "env"));
  const auto step = [&](const torch::Tensor& action) {
    return messageOf([&] { envs.step(action); });
  };
  EXPECT_THAT(step(torch::zeros({3}, torch::kLong)), HasSubstr("call reset()"));
  envs.reset();
  EXPECT_THAT(step(torch::zeros({3})),
              AllOf(HasSubstr("CartPole-v1"), HasSubstr("int64"), HasSubstr("Float")));
  EXPECT_THAT(step(torch::zeros({8}, torch::kLong)), AllOf(HasSubstr("[3]"), HasSubstr("[8]")));
  EXPECT_THAT(step(torch::Tensor()), HasSubstr("undefined"));
  EXPECT_THAT(step(torch::tensor({0, 1, 2}, torch::kLong)),
              AllOf(HasSubstr("row 6"), HasSubstr("is 2"), HasSubstr("0 to 1")));
  EXPECT_THAT(step(torch::tensor({0, -1, 0}, torch::kLong)),
              AllOf(HasSubstr("row 5"), HasSubstr("is -1")));
  VectorEnv pendulums("Pendulum-v1", {0, 2, 2}, Stream(1, "env"));
  pendulums.reset();
  EXPECT_THAT(messageOf([&] { pendulums.step(torch::zeros({2})); }),
              AllOf(HasSubstr("[2, 1]"), HasSubstr("[2]")));
  const torch::Tensor bad = torch::tensor({0.5F, std::nanf("")}).unsqueeze(1);
  EXPECT_THAT(messageOf([&] { pendulums.step(bad); }),
              AllOf(HasSubstr("row 1"), HasSubstr("nan"), HasSubstr("-2 to 2")));
}

TEST(VectorEnv, ARefusedActionChangesNothing) {
  VectorEnv envs("CartPole-v1", {0, 2, 2}, Stream(1, "env"));
  VectorEnv same("CartPole-v1", {0, 2, 2}, Stream(1, "env"));
  envs.reset();
  same.reset();
  EXPECT_THROW(envs.step(torch::tensor({0, 7}, torch::kLong)), UserError);
  const torch::Tensor action = torch::tensor({0, 1}, torch::kLong);
  EXPECT_TRUE(torch::equal(envs.step(action).observation, same.step(action).observation));
}

TEST(VectorEnv, UnknownNamesNameTheNearest) {
  EXPECT_THAT(messageOf([] { envSpec("CartPole-v2"); }), HasSubstr("did you mean CartPole-v1?"));
  EXPECT_THAT(messageOf([] { envSpec("Zorgon"); }),
              AllOf(HasSubstr("Pendulum-v1"), HasSubstr("gym:NAME")));
}

TEST(VectorEnv, AMissingLibraryIsASentence) {
  EXPECT_THAT(messageOf([] { librarySymbol("Lift-v0", "libfdg_none.so", "make", "Build it"); }),
              AllOf(HasSubstr("Lift-v0 needs libfdg_none.so, which cannot be loaded: "),
                    HasSubstr("No such file"), HasSubstr(". Build it")));
}

TEST(VectorEnv, StridedActionsAreTakenAsTheyRead) {
  VectorEnv envs("CartPole-v1", {0, 3, 3}, Stream(1, "env"));
  VectorEnv same("CartPole-v1", {0, 3, 3}, Stream(1, "env"));
  envs.reset();
  same.reset();
  const torch::Tensor wide = torch::tensor({0, 9, 1, 9, 1, 9}, torch::kLong);
  EXPECT_TRUE(torch::equal(envs.step(wide.slice(0, 0, 6, 2)).observation,
                           same.step(torch::tensor({0, 1, 1}, torch::kLong)).observation));
}

Outcome stepCounter(VectorEnv& envs, std::vector<int64_t> actions) {
  return envs.step(torch::tensor(actions, torch::kLong));
}

std::vector<float> numbers(const torch::Tensor& t) {
  const torch::Tensor plain = t.to(torch::kFloat).contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

using Floats = std::vector<float>;

// Cases 22, 25, 26: the final observation is kept, no step is spent on a reset, every step is a
// learning row.
TEST(VectorEnv, TruncationKeepsTheFinalObservationAndResetsInTheSameStep) {
  VectorEnv envs(environment<Counter>(), {0, 1, 1}, Stream(1, "env"));
  EXPECT_EQ(numbers(envs.reset()), Floats{0});
  Floats finals, next, truncated, rewards;
  for (int i = 0; i < 9; ++i) {
    const Outcome outcome = stepCounter(envs, {0});
    finals.push_back(outcome.final_observation.item<float>());
    next.push_back(outcome.observation.item<float>());
    truncated.push_back(outcome.truncated.item<bool>() ? 1 : 0);
    rewards.push_back(outcome.reward.item<float>());
    EXPECT_FALSE(outcome.terminated.item<bool>());
    EXPECT_EQ(envs.finishedReturns().weight, i % 4 == 3 ? 1 : 0);
  }
  EXPECT_EQ(finals, (Floats{1, 2, 3, 4, 1, 2, 3, 4, 1}));
  EXPECT_EQ(next, (Floats{1, 2, 3, 0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(truncated, (Floats{0, 0, 0, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(rewards, (Floats{1, 2, 3, 4, 1, 2, 3, 4, 1}));
}

TEST(VectorEnv, TerminationInTheLastAllowedStepIsBoth) {
  VectorEnv envs(environment<Counter>(), {0, 2, 2}, Stream(1, "env"));
  envs.reset();
  for (int i = 0; i < 3; ++i) {
    stepCounter(envs, {0, 0});
  }
  const Outcome outcome = stepCounter(envs, {1, 0});
  EXPECT_EQ(numbers(outcome.terminated), (Floats{1, 0}));
  EXPECT_EQ(numbers(outcome.truncated), (Floats{1, 1}));
}

TEST(VectorEnv, FinishedEpisodesAreAveragedAndWeighted) {
  VectorEnv envs(environment<Counter>(), {0, 3, 3}, Stream(1, "env"));
  envs.reset();
  EXPECT_EQ(envs.finishedReturns().weight, 0);
  stepCounter(envs, {0, 1, 0});
  EXPECT_EQ(envs.finishedReturns().weight, 1);
  EXPECT_EQ(envs.finishedReturns().value, 1);
  stepCounter(envs, {0, 0, 0});
  EXPECT_EQ(envs.finishedReturns().weight, 0);
  EXPECT_EQ(envs.finishedLengths().value, 0);
  stepCounter(envs, {1, 1, 0});
  EXPECT_EQ(envs.finishedReturns().weight, 2);
  EXPECT_EQ(envs.finishedReturns().value, (6.0 + 3.0) / 2);
  EXPECT_EQ(envs.finishedLengths().value, 2.5);
  EXPECT_EQ(envs.finishedLengths().weight, 2);
}

TEST(VectorEnv, ResetStartsEveryEpisodeAnew) {
  VectorEnv envs(environment<Counter>(), {0, 1, 1}, Stream(1, "env"));
  envs.reset();
  stepCounter(envs, {0});
  EXPECT_EQ(numbers(envs.reset()), Floats{0});
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(stepCounter(envs, {0}).truncated.item<bool>());
  }
  EXPECT_TRUE(stepCounter(envs, {0}).truncated.item<bool>());
  EXPECT_EQ(envs.finishedReturns().value, 10);
}

TEST(VectorEnv, WithoutArchiveItSaysThatItCannotBeSaved) {
  VectorEnv envs(environment<Counter>(), {0, 1, 1}, Stream(1, "env"));
  value::Parts kept;
  Archive save = Archive::saver(kept);
  EXPECT_THAT(messageOf([&] { envs.archive(save); }),
              AllOf(HasSubstr("Counter"), HasSubstr("archive")));
}

TEST(VectorEnv, AStateOfOtherRowsIsRefused) {
  VectorEnv envs("CartPole-v1", {0, 2, 4}, Stream(1, "env"));
  VectorEnv other("CartPole-v1", {2, 4, 4}, Stream(1, "env"));
  VectorEnv pendulum("Pendulum-v1", {0, 2, 4}, Stream(1, "env"));
  value::Parts kept;
  Archive save = Archive::saver(kept);
  Archive restore = Archive::restorer(kept);
  envs.archive(save);
  EXPECT_THAT(messageOf([&] { other.archive(restore); }),
              AllOf(HasSubstr("rows 0 to 2"), HasSubstr("rows 2 to 4")));
  Archive again = Archive::restorer(kept);
  EXPECT_THAT(messageOf([&] { pendulum.archive(again); }), HasSubstr("Pendulum-v1"));
}

/// Random dynamics: every step draws.
struct Dice {
  float face = 0;

  static EnvSpec spec() {
    return {.name = "Dice", .observation_shape = {1}, .discrete = true, .actions = 1};
  }
  void reset(Draw& draw) { face = static_cast<float>(draw.below(6)); }
  StepResult step(int64_t /*action*/, Draw& draw) {
    face = static_cast<float>(draw.below(6));
    return {.reward = face, .terminated = face == 5};
  }
  void observe(std::span<float> observation) const { observation[0] = face; }
};

TEST(VectorEnv, RandomDynamicsDrawFromTheRow) {
  const auto roll = [](Rows rows) {
    VectorEnv envs(environment<Dice>(), rows, Stream(3, "env"));
    envs.reset();
    std::vector<Outcome> steps;
    for (int i = 0; i < 50; ++i) {
      steps.push_back(envs.step(torch::zeros({rows.size()}, torch::kLong)));
    }
    return stack(steps);
  };
  EXPECT_EQ(roll({0, 6, 6}), join(roll({0, 1, 6}), roll({1, 6, 6})));
}

struct Undecided : Counter {
  static EnvSpec spec() {
    return {.name = "Undecided",
            .observation_shape = {1},
            .discrete = false,
            .actions = 1,
            .low = {0},
            .high = {1}};
  }
};

TEST(VectorEnv, ASpecThatDoesNotFitItsStepIsRefused) {
  EXPECT_THAT(messageOf([] { environment<Undecided>(); }),
              AllOf(HasSubstr("continuous actions"), HasSubstr("int64_t")));
}

}  // namespace
}  // namespace fdg::rl
