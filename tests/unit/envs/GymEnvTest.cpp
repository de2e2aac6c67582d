#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>

#include "algorithms/envs/CartPole.h"
#include "algorithms/envs/Environment.h"
#include "tests/unit/envs/MessageOf.h"

namespace fdg::rl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Test environments in Python: `module:` makes gymnasium import that module first.
const std::string kTests = "gym:fdg_test_envs:fdgtest/";

torch::Tensor one(int64_t action) { return torch::full({1}, action, torch::kLong); }

/// First, because it must see the process before Python starts in it.
TEST(GymEnv, ComesOnlyWhenAskedForAndLeavesSignalsAlone) {
  setenv("PYTHONPATH", FDG_TEST_PYTHON_PATH, 1);
  setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  envSpec("CartPole-v1");
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "Py_IsInitialized"), nullptr)
      << "Python must not be a dependency of all programs";
  setenv("FDG_PYTHON_HOME", "/nowhere", 1);
  EXPECT_THAT(messageOf([] { envSpec("gym:CartPole-v1"); }),
              AllOf(HasSubstr("/nowhere"), HasSubstr("FDG_PYTHON_HOME")));
  unsetenv("FDG_PYTHON_HOME");
  const auto mine = [](int) {};
  std::signal(SIGINT, mine);
  envSpec("gym:CartPole-v1");
  EXPECT_EQ(std::signal(SIGINT, SIG_DFL), static_cast<void (*)(int)>(mine));
}

// In a process of its own, since a process has one Python only.
TEST(GymEnvDeathTest, AMissingGymnasiumIsASentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto ask = [] {
    setenv("FDG_PYTHON_HOME", FDG_TEST_BARE_PYTHON, 1);
    std::cerr << messageOf([] { envSpec("gym:CartPole-v1"); });
    std::exit(0);
  };
  EXPECT_EXIT(
      ask(), testing::ExitedWithCode(0),
      "gym:CartPole-v1 needs the Python package gymnasium.*No module named.*pip install gymnasium");
}

TEST(GymEnvDeathTest, AMissingAlePyIsASentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto ask = [] {
    setenv("FDG_PYTHON_HOME", FDG_TEST_BARE_PYTHON, 1);
    std::cerr << messageOf([] { envSpec("gym:ALE/Pong-v5"); });
    std::exit(0);
  };
  EXPECT_EXIT(
      ask(), testing::ExitedWithCode(0),
      "gym:ALE/Pong-v5 needs the Python package ale-py.*No module named.*pip install ale-py");
}

// What a game gives is compared with gymnasium's wrappers by compare_atari.py.
TEST(GymEnv, AtariGamesComeAsTheyAreLearned) {
  const EnvSpec pong = envSpec("gym:ALE/Pong-v5");
  EXPECT_EQ(pong.observation_shape, (std::vector<int64_t>{4, 84, 84}));
  EXPECT_TRUE(pong.isImage());
  EXPECT_EQ(pong.actions, 6);
  EXPECT_EQ(envSpec("gym:ALE/Pong-v5?stack=2&size=42&full_action_space=True").observation_shape,
            (std::vector<int64_t>{2, 42, 42}));
  EXPECT_EQ(envSpec("gym:ALE/Pong-v5?full_action_space=True").actions, 18);
  EXPECT_EQ(envSpec("gym:ale_py:ALE/Pong-v5").observation_shape,
            (std::vector<int64_t>{210, 160, 3}));
  EXPECT_EQ(envSpec("gym:ale_py:ALE/Pong-v5?obs_type=ram").observation_type, torch::kFloat32);
  EXPECT_THAT(messageOf([] {
                VectorEnv("gym:ALE/Pong-v5?size=300", {0, 1, 1}, Stream(1, "e"));
              }),
              HasSubstr("210 × 160 cannot become one of 300 × 300"));
  EXPECT_THAT(messageOf([] { envSpec("gym:ALE/Pnog-v5"); }), HasSubstr("ALE/Pong-v5"));
}

TEST(GymEnv, AtariRowsDoNotDependOnHowTheyAreShared) {
  const auto walk = [](Rows rows) {
    VectorEnv envs("gym:ALE/Pong-v5", rows, Stream(17, "env"));
    Stream actions(17, "actions");
    std::vector<torch::Tensor> seen = {envs.reset()};
    for (int step = 0; step < 15; ++step) {
      std::vector<int64_t> chosen;
      for (int64_t row = rows.begin; row < rows.end; ++row) {
        chosen.push_back(actions.below(row, 6));
      }
      seen.push_back(envs.step(torch::tensor(chosen, torch::kLong)).observation);
    }
    return torch::stack(seen);
  };
  const torch::Tensor whole = walk({0, 3, 3});
  EXPECT_TRUE(torch::equal(whole, torch::cat({walk({0, 1, 3}), walk({1, 3, 3})}, 1)));
  EXPECT_FALSE(torch::equal(whole[15][0], whole[15][1]));
}

TEST(GymEnv, SpecsAreRead) {
  const EnvSpec cart = envSpec("gym:CartPole-v1");
  EXPECT_EQ(cart.name, "gym:CartPole-v1");
  EXPECT_EQ(cart.observation_shape, (std::vector<int64_t>{4}));
  EXPECT_TRUE(cart.discrete);
  EXPECT_EQ(cart.actions, 2);
  EXPECT_EQ(cart.time_limit, 500);
  const EnvSpec pendulum = envSpec("gym:Pendulum-v1");
  EXPECT_FALSE(pendulum.discrete);
  EXPECT_EQ(pendulum.low, std::vector<double>{-2});
  EXPECT_EQ(pendulum.high, std::vector<double>{2});
  EXPECT_EQ(envSpec("gym:LunarLander-v3").observation_shape, (std::vector<int64_t>{8}));
  EXPECT_EQ(envSpec("gym:LunarLander-v3?continuous=True").actions, 2);
  EXPECT_EQ(envSpec(kTests + "box-v0").actions, 4);
  EXPECT_EQ(envSpec(kTests + "image-v0").observation_shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(envSpec(kTests + "image-v0").time_limit, 0);
}

// The native CartPole put into Gymnasium's first state goes through the same observations and
// rewards.
TEST(GymEnv, CartPoleGoesAsTheNativeOne) {
  VectorEnv envs("gym:CartPole-v1", {0, 4, 4}, Stream(5, "env"));
  torch::Tensor first = envs.reset();
  Stream actions(5, "actions");
  std::vector<CartPole> native(4);
  const auto place = [&](size_t row, const torch::Tensor& observation) {
    const auto* o = observation.data_ptr<float>();
    native[row] = {o[0], o[1], o[2], o[3]};
  };
  int ended = 0;
  for (int step = 0; step < 500; ++step) {
    for (size_t row = 0; row < 4; ++row) {
      place(row, first[static_cast<int64_t>(row)]);
    }
    const torch::Tensor action = torch::tensor(
        {actions.below(0, 2), actions.below(1, 2), actions.below(2, 2), actions.below(3, 2)});
    const Outcome outcome = envs.step(action);
    for (size_t row = 0; row < 4; ++row) {
      const auto index = static_cast<int64_t>(row);
      const StepResult expected = native[row].step(action[index].item<int64_t>());
      std::array<float, 4> seen;
      native[row].observe(seen);
      const torch::Tensor got = outcome.final_observation[index];
      for (size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(got.data_ptr<float>()[i], seen[i], 1e-6);
      }
      EXPECT_EQ(outcome.reward[index].item<float>(), expected.reward);
      EXPECT_EQ(outcome.terminated[index].item<bool>(), expected.terminated);
      ended += expected.terminated ? 1 : 0;
    }
    first = outcome.observation;
  }
  EXPECT_GT(ended, 20);
}

class GymWalk : public testing::TestWithParam<const char*> {};

TEST_P(GymWalk, RowsDoNotDependOnHowTheyAreShared) {
  const EnvSpec spec = envSpec(GetParam());
  const auto walk = [&](Rows rows) {
    VectorEnv envs(GetParam(), rows, Stream(17, "env"));
    Stream actions(17, "actions");
    std::vector<torch::Tensor> seen = {envs.reset()};
    for (int step = 0; step < 120; ++step) {
      std::vector<int64_t> chosen;
      for (int64_t row = rows.begin; row < rows.end; ++row) {
        chosen.push_back(actions.below(row, spec.actions));
      }
      const Outcome outcome = envs.step(torch::tensor(chosen, torch::kLong));
      EXPECT_EQ(outcome.observation.scalar_type(), torch::kFloat);
      seen.push_back(outcome.observation);
      seen.push_back(outcome.final_observation);
    }
    return torch::stack(seen);
  };
  const torch::Tensor whole = walk({0, 5, 5});
  EXPECT_TRUE(torch::equal(whole, torch::cat({walk({0, 2, 5}), walk({2, 5, 5})}, 1)));
  EXPECT_FALSE(torch::equal(whole[0][0], whole[0][1])) << "rows must start differently";
}

INSTANTIATE_TEST_SUITE_P(All, GymWalk,
                         testing::Values("gym:LunarLander-v3", "gym:Acrobot-v1", "gym:CartPole-v1"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           return name.substr(4, name.find('-') - 4);
                         });

TEST(GymEnv, SameStepResetAndOneSeedARow) {
  VectorEnv envs(kTests + "plain-v0", {0, 1, 1}, Stream(1, "env"));
  EXPECT_EQ(envs.reset().item<float>(), 1);
  std::vector<float> finals, next;
  for (int i = 0; i < 6; ++i) {
    const Outcome outcome = envs.step(one(2));
    finals.push_back(outcome.final_observation.item<float>());
    next.push_back(outcome.observation.item<float>());
    EXPECT_EQ(outcome.terminated.item<bool>(), i % 3 == 2);
    EXPECT_FALSE(outcome.truncated.item<bool>());
  }
  // It starts from the number of seeded resets: still 1 in the second episode.
  EXPECT_EQ(finals, (std::vector<float>{2, 3, 4, 2, 3, 4}));
  EXPECT_EQ(next, (std::vector<float>{2, 3, 1, 2, 3, 1}));
  EXPECT_EQ(envs.finishedReturns().value, 6);
  EXPECT_EQ(envs.finishedLengths().value, 3);
}

TEST(GymEnv, TimeLimitsTruncate) {
  VectorEnv envs(kTests + "limited-v0", {0, 1, 1}, Stream(1, "env"));
  envs.reset();
  EXPECT_FALSE(envs.step(one(0)).truncated.item<bool>());
  const Outcome outcome = envs.step(one(0));
  EXPECT_TRUE(outcome.truncated.item<bool>());
  EXPECT_FALSE(outcome.terminated.item<bool>());
}

TEST(GymEnv, ActionsArriveAsTheSpaceWantsThem) {
  VectorEnv shifted(kTests + "plain-v0?start=10", {0, 1, 1}, Stream(1, "env"));
  shifted.reset();
  EXPECT_EQ(shifted.step(one(2)).reward.item<float>(), 12);
  VectorEnv box(kTests + "box-v0", {0, 2, 2}, Stream(1, "env"));
  box.reset();
  const torch::Tensor action =
      torch::tensor({1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F}).reshape({2, 4});
  EXPECT_TRUE(torch::equal(box.step(action).reward, torch::tensor({10.F, 26.F})));
}

TEST(GymEnv, BytesInThreeDimensionsStayBytes) {
  EXPECT_EQ(envSpec(kTests + "picture-v0").observation_type, torch::kByte);
  VectorEnv envs(kTests + "picture-v0", {0, 2, 2}, Stream(1, "env"));
  const torch::Tensor first = envs.reset();
  EXPECT_TRUE(torch::equal(first, torch::ones({2, 3, 40, 41}, torch::kByte)));
  const Outcome outcome = envs.step(torch::tensor({0, 1}));
  EXPECT_TRUE(torch::equal(outcome.observation, first * 2));
  EXPECT_EQ(outcome.final_observation.scalar_type(), torch::kByte);
}

TEST(GymEnv, ImagesAndWideFloatsBecomeFloat32) {
  for (const char* name : {"image-v0", "wide-v0"}) {
    VectorEnv envs(kTests + name, {0, 2, 2}, Stream(1, "env"));
    const torch::Tensor first = envs.reset();
    EXPECT_EQ(first.scalar_type(), torch::kFloat);
    EXPECT_TRUE(torch::equal(first, torch::ones_like(first)));
  }
}

TEST(GymEnv, OtherSpacesAreRefused) {
  EXPECT_THAT(messageOf([] { envSpec(kTests + "discrete-v0"); }),
              AllOf(HasSubstr("observations are a Discrete(5)"), HasSubstr("Box")));
  EXPECT_THAT(messageOf([] { envSpec(kTests + "long-v0"); }), HasSubstr("int64"));
  EXPECT_THAT(messageOf([] { envSpec(kTests + "multi-v0"); }),
              AllOf(HasSubstr("actions are a MultiDiscrete"), HasSubstr("Discrete and Box")));
}

TEST(GymEnv, UnknownNamesNameNearOnes) {
  EXPECT_THAT(messageOf([] { envSpec("gym:LunarLnder-v3"); }),
              HasSubstr("did you mean LunarLander-v3?"));
  EXPECT_THAT(messageOf([] { envSpec("gym:CartPole-v9"); }),
              HasSubstr("did you mean CartPole-v1?"));
  EXPECT_THAT(messageOf([] { envSpec("gym:nosuchmodule:Thing-v0"); }), HasSubstr("nosuchmodule"));
  EXPECT_THAT(messageOf([] { envSpec("gym:CartPole-v1?3"); }), HasSubstr("KEY=VALUE"));
  for (const char* option : {"continuous=true", "wind_power=3&continuous=false"}) {
    EXPECT_THAT(messageOf([&] { envSpec(std::string("gym:LunarLander-v3?") + option); }),
                HasSubstr("which is text; write True or False"));
  }
  EXPECT_THAT(messageOf([] { envSpec("gym:CartPole-v1?speed=3"); }),
              AllOf(HasSubstr("TypeError"), HasSubstr("speed")));
}

TEST(GymEnv, PythonErrorsBecomeSentencesWithTheRow) {
  VectorEnv envs(kTests + "plain-v0?fail_at=2", {3, 4, 8}, Stream(1, "env"));
  envs.reset();
  envs.step(one(0));
  EXPECT_THAT(messageOf([&] { envs.step(one(0)); }),
              AllOf(HasSubstr("row 3"), HasSubstr("ValueError: the motor is off"),
                    Not(HasSubstr("Traceback"))));
  VectorEnv liar(kTests + "liar-v0", {0, 1, 1}, Stream(1, "env"));
  EXPECT_THAT(messageOf([&] { liar.reset(); }), AllOf(HasSubstr("7 numbers"), HasSubstr("has 1")));
}

TEST(GymEnv, NumbersThatAreNoneAreToldWithRowAndStep) {
  VectorEnv first(kTests + "wide-v0?nan_at=0", {2, 3, 8}, Stream(1, "env"));
  EXPECT_THAT(messageOf([&] { first.reset(); }),
              HasSubstr("wide-v0?nan_at=0: entry 0 of the observation of row 2 at the start of an "
                        "episode is nan"));
  VectorEnv later(kTests + "plain-v0?nan_at=2", {2, 3, 8}, Stream(1, "env"));
  later.reset();
  later.step(one(0));
  EXPECT_THAT(messageOf([&] { later.step(one(0)); }),
              HasSubstr("of row 2 at step 2 of its episode"));
  VectorEnv rich(kTests + "plain-v0?inf_at=1", {2, 3, 8}, Stream(1, "env"));
  rich.reset();
  EXPECT_THAT(messageOf([&] { rich.step(one(0)); }),
              HasSubstr("the reward of row 2 at step 1 of its episode is inf"));
}

TEST(GymEnv, ActionsWithoutBoundsAreRefused) {
  EXPECT_THAT(messageOf([] { envSpec(kTests + "endless-v0"); }),
              AllOf(HasSubstr("dimension 1 of its actions goes from -inf to inf"),
                    HasSubstr("finite bounds")));
}

TEST(GymEnv, AtariOptionsAreHonouredOrRefused) {
  const auto says = [](const std::string& option) {
    return messageOf([&] { envSpec("gym:ALE/Pong-v5?" + option); });
  };
  for (const char* taken :
       {"noops=0", "skip=1&stack=2", "size=42", "life_loss=True", "difficulty=1"}) {
    EXPECT_EQ(says(taken), "nothing was thrown") << taken;
  }
  EXPECT_THAT(says("life_loss=maybe"), HasSubstr("life_loss is maybe; it must be True or False"));
  EXPECT_THAT(says("life_loss=1"), HasSubstr("life_loss is 1; it must be True or False"));
  for (const char* wrong : {"noops=-1", "noops=many", "noops=True", "skip=0", "skip=2.5", "stack=0",
                            "size=0", "size=100000000000000000000"}) {
    const std::string option(wrong);
    const auto equals = option.find('=');
    EXPECT_THAT(says(wrong), HasSubstr("the option " + option.substr(0, equals) + " is " +
                                       option.substr(equals + 1) + "; it must be a whole number"));
  }
  EXPECT_THAT(says("frameskip=2"), AllOf(HasSubstr("frameskip"), HasSubstr("skip=4")));
  EXPECT_THAT(says("obs_type=rgb"), AllOf(HasSubstr("obs_type"), HasSubstr("grey")));
}

TEST(GymEnv, CannotBeSavedAndSaysSo) {
  VectorEnv envs("gym:CartPole-v1", {0, 1, 1}, Stream(1, "env"));
  value::Parts kept;
  Archive archive = Archive::saver(kept);
  EXPECT_THAT(messageOf([&] { envs.archive(archive); }),
              AllOf(HasSubstr("gym:CartPole-v1"), HasSubstr("--checkpoint")));
}

// No thread keeps Python's lock between steps: two threads with environments of their own both get
// on.
TEST(GymEnv, ThreadsTakeTurns) {
  const auto work = [](torch::Tensor& last) {
    VectorEnv envs("gym:CartPole-v1", {0, 2, 2}, Stream(9, "env"));
    envs.reset();
    for (int i = 0; i < 200; ++i) {
      last = envs.step(torch::tensor({i % 2, (i + 1) % 2}, torch::kLong)).observation;
    }
  };
  torch::Tensor first, second;
  std::thread other(work, std::ref(first));
  work(second);
  other.join();
  EXPECT_TRUE(torch::equal(first, second));
}

TEST(GymEnv, NoRowsAreFine) {
  VectorEnv envs("gym:CartPole-v1", {2, 2, 4}, Stream(1, "env"));
  EXPECT_EQ(envs.reset().size(0), 0);
  EXPECT_EQ(envs.step(torch::empty({0}, torch::kLong)).reward.size(0), 0);
}

}  // namespace
}  // namespace fdg::rl
