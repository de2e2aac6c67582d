// Environments that step as tensors, beside the native ones of the same rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/envs/CartPole.h"
#include "algorithms/envs/Pendulum.h"
#include "algorithms/envs/SimpleTag.h"
#include "algorithms/envs/tensor/TensorKind.h"

namespace fdg::rl {
namespace {

constexpr int64_t kWorlds = 37;

void expectNear(const torch::Tensor& a, const torch::Tensor& b, const std::string& what) {
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  ASSERT_EQ(a.scalar_type(), b.scalar_type()) << what;
  if (a.scalar_type() == torch::kBool) {
    EXPECT_TRUE(a.equal(b)) << what;
  } else {
    EXPECT_TRUE(torch::allclose(a, b, 1e-6, 1e-6)) << what << " by " << (a - b).abs().max();
  }
}

template <class E>
torch::Tensor stateOf(std::vector<E>& natives, int64_t numbers) {
  const torch::Tensor state = torch::empty({kWorlds, numbers}, torch::kDouble);
  for (size_t i = 0; i < natives.size(); ++i) {
    detail::NumberWriter writer{{state.data_ptr<double>() + static_cast<int64_t>(i) * numbers,
                                 static_cast<size_t>(numbers)}};
    natives[i].archive(writer);
    EXPECT_TRUE(writer.left.empty());
  }
  return state.t().contiguous();
}

/// Actions of every row, the same for both sides.
torch::Tensor drawActions(const EnvSpec& spec, int64_t rows, Stream& stream) {
  if (spec.discrete) {
    const torch::Tensor actions = torch::empty({rows}, torch::kLong);
    for (int64_t row = 0; row < rows; ++row) {
      actions[row] = stream.below(row, spec.actions);
    }
    return actions;
  }
  const torch::Tensor actions = torch::empty({rows, spec.actions});
  for (int64_t row = 0; row < rows; ++row) {  // some beyond the bounds
    actions[row].fill_(stream.uniform(row, 1.2 * spec.low[0], 1.2 * spec.high[0]));
  }
  return actions;
}

/// Steps native world `i`; adds its rows' rewards and ends.
template <class E>
void stepNative(E& native, int64_t i, const torch::Tensor& actions, Draw& draw,
                std::vector<double>& rewards, std::vector<float>& seen, bool& terminated) {
  const EnvSpec spec = E::spec();
  const auto size = static_cast<size_t>(spec.observationSize());
  if constexpr (World<E>) {
    const auto agents = static_cast<size_t>(spec.agents);
    std::vector<double> gained(agents);
    native.step({actions.data_ptr<int64_t>() + i * spec.agents, agents}, gained);
    rewards.insert(rewards.end(), gained.begin(), gained.end());
    for (int64_t agent = 0; agent < spec.agents; ++agent) {
      seen.resize(seen.size() + size);
      native.observe(agent, std::span(seen).last(size));
    }
    terminated = false;
  } else {
    StepResult result;
    if constexpr (RowsOf<E>::kDiscrete) {
      result = native.step(actions.data_ptr<int64_t>()[i]);
    } else {
      result = native.step(
          {actions.data_ptr<float>() + i * spec.actions, static_cast<size_t>(spec.actions)});
    }
    rewards.push_back(result.reward);
    seen.resize(seen.size() + size);
    native.observe(std::span(seen).last(size));
    terminated = result.terminated;
    if (terminated) {
      native.reset(draw);
    }
  }
}

/// From the same states, each step is the native one to rounding: 1e-12.
template <class E>
void expectStepsAsNative(const EnvKind& kind) {
  const std::unique_ptr<TensorRules> rules = kind.tensors->rules(torch::kCPU);
  const int64_t agents = kind.spec.agents, rows = kWorlds * agents;
  Stream stream(7, "env"), action_stream(7, "actions");
  std::vector<E> natives(kWorlds);
  for (int64_t i = 0; i < kWorlds; ++i) {
    Draw draw(stream, i);
    natives[static_cast<size_t>(i)].reset(draw);
  }
  int64_t ends = 0;
  for (int step = 0; step < 200; ++step) {
    const torch::Tensor actions = drawActions(kind.spec, rows, action_stream);
    const TensorStep after = rules->step(stateOf(natives, kind.tensors->numbers), actions);
    const torch::Tensor observed = rules->observe(after.state);
    std::vector<double> rewards;
    std::vector<float> seen;
    for (int64_t i = 0; i < kWorlds; ++i) {
      Draw draw(stream, i);
      bool terminated = false;
      stepNative(natives[static_cast<size_t>(i)], i, actions, draw, rewards, seen, terminated);
      EXPECT_EQ(after.terminated[i * agents].item<bool>(), terminated);
      ends += terminated ? 1 : 0;
    }
    const auto reward = torch::tensor(rewards, torch::kDouble);
    ASSERT_TRUE(torch::allclose(after.reward, reward, 1e-12, 1e-12)) << "step " << step;
    expectNear(observed.flatten(), torch::tensor(seen), "step " + std::to_string(step));
    if (ends == 0) {
      ASSERT_TRUE(
          torch::allclose(after.state, stateOf(natives, kind.tensors->numbers), 1e-12, 1e-12));
    }
  }
  EXPECT_EQ(ends > 0, kind.spec.name == "tensor:CartPole-v1");
}

TEST(TensorEnv, StepsAreThoseOfTheNativeOnes) {
  expectStepsAsNative<CartPole>(tensorCartPole());
  expectStepsAsNative<Pendulum>(tensorPendulum());
  expectStepsAsNative<SimpleTag>(tensorTag());
}

class TensorEnvByName : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, TensorEnvByName,
                         testing::Values("CartPole-v1", "Pendulum-v1", "simple_tag"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

// Draws, resets, time limits and statistics are those of the native rows.
TEST_P(TensorEnvByName, EpisodesAreThoseOfTheNativeOne) {
  const std::string name = GetParam();
  const EnvSpec spec = envSpec(name);
  const EnvSpec tensor_spec = envSpec("tensor:" + name);
  EXPECT_EQ(tensor_spec.name, "tensor:" + name);
  EXPECT_EQ(tensor_spec.observation_shape, spec.observation_shape);
  const Rows rows{spec.agents, 9 * spec.agents, 12 * spec.agents};
  VectorEnv native(name, rows, Stream(3, "env"));
  VectorEnv tensors("tensor:" + name, rows, Stream(3, "env"), torch::kCPU);
  expectNear(tensors.reset(), native.reset(), "reset");
  Stream actions(3, "actions");
  // Pendulum's episodes are long and small differences grow; the others end often.
  const int64_t steps = name == "Pendulum-v1" ? 60 : 100;
  double episodes = 0;
  for (int64_t i = 0; i < steps; ++i) {
    const torch::Tensor action = drawActions(spec, rows.size(), actions);
    const Outcome a = tensors.step(action), b = native.step(action);
    const std::string where = "step " + std::to_string(i);
    expectNear(a.observation, b.observation, where);
    expectNear(a.final_observation, b.final_observation, where);
    expectNear(a.reward, b.reward, where);
    expectNear(a.terminated, b.terminated, where);
    expectNear(a.truncated, b.truncated, where);
    EXPECT_EQ(tensors.finishedReturns().weight, native.finishedReturns().weight);
    EXPECT_NEAR(tensors.finishedReturns().value, native.finishedReturns().value, 1e-6);
    EXPECT_EQ(tensors.finishedLengths().value, native.finishedLengths().value);
    episodes += tensors.finishedReturns().weight;
  }
  EXPECT_EQ(episodes > 0, name != "Pendulum-v1");
}

TEST_P(TensorEnvByName, StepsOnAGpuAreThoseOnTheCpu) {
  if (!torch::cuda::is_available()) {
    GTEST_SKIP() << "no GPU";
  }
  const std::string name = std::string("tensor:") + GetParam();
  const EnvSpec spec = envSpec(name);
  const Rows rows{0, 16 * spec.agents, 16 * spec.agents};
  VectorEnv there(name, rows, Stream(3, "env"), torch::kCUDA);
  VectorEnv here(name, rows, Stream(3, "env"));
  expectNear(there.reset().cpu(), here.reset(), "reset");
  Stream actions(3, "actions");
  for (int i = 0; i < 60; ++i) {
    const torch::Tensor action = drawActions(spec, rows.size(), actions);
    const Outcome a = there.step(action.cuda()), b = here.step(action);
    EXPECT_TRUE(a.observation.is_cuda() && a.reward.is_cuda() && a.terminated.is_cuda());
    expectNear(a.observation.cpu(), b.observation, "step " + std::to_string(i));
    expectNear(a.reward.cpu(), b.reward, "step " + std::to_string(i));
    EXPECT_EQ(there.finishedLengths().value, here.finishedLengths().value);
  }
}

TEST(TensorEnv, TimeLimitsTruncate) {
  VectorEnv envs("tensor:Pendulum-v1", {0, 3, 3}, Stream(3, "env"));
  envs.reset();
  for (int step = 1; step <= 400; ++step) {
    const Outcome outcome = envs.step(torch::zeros({3, 1}));
    EXPECT_EQ(outcome.truncated.all().item<bool>(), step % 200 == 0);
    EXPECT_EQ(outcome.observation.equal(outcome.final_observation), step % 200 != 0);
    EXPECT_EQ(envs.finishedLengths().value, step % 200 == 0 ? 200 : 0);
  }
}

}  // namespace
}  // namespace fdg::rl
