// A2C and A3C against the same computed plainly by LibTorch.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "algorithms/parts/A2cLearner.h"
#include "algorithms/parts/A3cParameters.h"
#include "algorithms/parts/A3cWorker.h"
#include "fdg/rows.h"
#include "tests/unit/parts/OnPolicy.h"

namespace fdg::rl {
namespace {

Rollout randomRollout(Stream& stream, const EnvSpec& spec, int64_t rows, int64_t steps) {
  auto action = noise(stream, {rows, steps, spec.actions});
  if (spec.discrete) {
    action = action.argmax(2);
  }
  return {noise(stream, {rows, steps, 3}), action,
          noise(stream, {rows, steps}),    noise(stream, {rows, steps}),
          noise(stream, {rows, steps}),    noise(stream, {rows, steps}),
          noise(stream, {rows, steps}) > 1};
}

/// n-step returns: rewards to the end of the rollout or the episode, and what comes after.
torch::Tensor returnsByLoop(const Rollout& rollout, double gamma) {
  auto returns = torch::zeros_like(rollout.reward);
  const int64_t steps = rollout.reward.size(1);
  for (int64_t r = 0; r < rollout.reward.size(0); ++r) {
    for (int64_t from = 0; from < steps; ++from) {
      double sum = 0, factor = 1;
      for (int64_t t = from; t < steps; ++t) {
        sum += factor * rollout.reward[r][t].item<double>();
        factor *= gamma;
        if (rollout.ended[r][t].item<bool>() || t + 1 == steps) {
          sum += factor * rollout.next_value[r][t].item<double>();
          break;
        }
      }
      returns[r][from] = sum;
    }
  }
  return returns;
}

/// What acting gives: the value of the next step is that of the next observation.
void linkValues(Rollout& rollout) {
  for (int64_t t = 0; t + 1 < rollout.reward.size(1); ++t) {
    rollout.next_value.select(1, t).copy_(torch::where(rollout.ended.select(1, t),
                                                       rollout.next_value.select(1, t),
                                                       rollout.value.select(1, t + 1)));
  }
}

torch::Tensor lossByTorch(const EnvSpec& spec, const A2cOptions& o, const torch::Tensor& flat,
                          const Rollout& rollout) {
  const NetworkLayout layout = actorCriticLayout(spec, o.hidden, o.activation);
  const auto x = rollout.observation.view({-1, 3});
  const auto output = mlpByTorch(layout.block("actor"), flat, x);
  const auto value = mlpByTorch(layout.block("critic"), flat, x).squeeze(1);
  torch::Tensor log_prob, entropy;
  if (spec.discrete) {
    const auto all = torch::log_softmax(output, 1);
    log_prob = all.gather(1, rollout.action.view({-1, 1})).squeeze(1);
    entropy = -(all.exp() * all).sum(1).mean();
  } else {
    const auto log_std = flat.slice(0, layout.block("log_std").offset);
    const auto z = (rollout.action.view({-1, spec.actions}) - output) / log_std.exp();
    const double half = 0.5 * std::log(2 * std::numbers::pi);
    log_prob = (-0.5 * z * z - log_std - half).sum(1);
    entropy = (0.5 + half + log_std).sum();
  }
  const auto wanted = returnsByLoop(rollout, o.gamma).view(-1);
  const auto advantage = wanted - rollout.value.view(-1);
  return -(advantage * log_prob).mean() - o.entropy_weight * entropy +
         o.value_weight * 0.5 * (value - wanted).pow(2).mean();
}

class A2cLearnerBy : public testing::TestWithParam<std::tuple<bool, const char*>> {};

TEST_P(A2cLearnerBy, AgreesWithAutograd) {
  const auto [discrete, activation] = GetParam();
  const EnvSpec spec = boxSpec(discrete);
  const A2cOptions options = {.hidden = {16, 8},
                              .activation = activation,
                              .entropy_weight = 0.02,
                              .initial_log_std = -0.3};
  A2cLearner learner(spec, 10, options, Stream(1, "learner"));
  Stream stream(2, "data");
  for (int step = 0; step < 3; ++step) {
    Rollout rollout = randomRollout(stream, spec, 3, 9);
    linkValues(rollout);
    const auto flat = learner.weights().flat.requires_grad_();
    const auto loss = lossByTorch(spec, options, flat, rollout);
    loss.backward();
    const auto grads = learner.gradients(rollout);
    EXPECT_EQ(grads.weight, 3);
    EXPECT_NEAR(grads.value.loss, loss.item<double>(), 1e-4);
    EXPECT_TRUE(torch::allclose(grads.value.flat, flat.grad(), 1e-3, 1e-5));
    learner.apply(grads);
  }
}

INSTANTIATE_TEST_SUITE_P(Options, A2cLearnerBy,
                         testing::Combine(testing::Bool(), testing::Values("tanh", "relu")));

TEST(A2cLearner, SharesOfARolloutAddUpToTheWhole) {
  const EnvSpec spec = boxSpec(true);
  A2cLearner learner(spec, 10, {.hidden = {16}}, Stream(1, "learner"));
  Stream stream(2, "data");
  const Rollout rollout = randomRollout(stream, spec, 5, 6);
  const auto all = learner.gradients(rollout);
  const auto first = learner.gradients(value::sliceRows(rollout, 0, 2));
  const auto second = learner.gradients(value::sliceRows(rollout, 2, 5));
  const auto none = learner.gradients(value::sliceRows(rollout, 5, 5));
  EXPECT_EQ(none.weight, 0);
  EXPECT_TRUE(torch::allclose((2 * first.value.flat + 3 * second.value.flat) / 5, all.value.flat,
                              1e-4, 1e-6));
}

TEST(A3cWorker, GivesEachEnvironmentItsOwnGradientWhoeverOwnsIt) {
  const EnvSpec spec = boxSpec(true);
  const A2cOptions options = {.hidden = {16}};
  A2cLearner learner(spec, 10, options, Stream(1, "learner"));
  A3cWorker worker(spec, options);
  Stream stream(2, "data");
  const Rollout rollout = randomRollout(stream, spec, 4, 6);
  const RowGradients all = worker.gradients(learner.weights(), rollout);
  const RowGradients last = worker.gradients(learner.weights(), value::sliceRows(rollout, 3, 4));
  EXPECT_TRUE(all.flat[3].equal(last.flat[0]));
  for (int64_t r = 0; r < 4; ++r) {
    const auto one = learner.gradients(value::sliceRows(rollout, r, r + 1));
    EXPECT_TRUE(all.flat[r].equal(one.value.flat));
    EXPECT_FLOAT_EQ(all.loss[r].item<float>(), static_cast<float>(one.value.loss));
  }
  EXPECT_EQ(worker.gradients(learner.weights(), value::sliceRows(rollout, 4, 4)).flat.size(0), 0);
}

TEST(A3cParameters, TakeGradientsOneByOne) {
  const EnvSpec spec = boxSpec(true);
  const A2cOptions options = {.hidden = {8}};
  A3cParameters together(spec, 10, options, Stream(1, "parameters"));
  A3cParameters apart(spec, 10, options, Stream(1, "parameters"));
  A2cLearner steps(spec, 10, options, Stream(1, "parameters"));
  Stream stream(2, "data");
  const int64_t size = together.weights().flat.numel();
  const RowGradients rows = {noise(stream, {3, size}), noise(stream, {3})};
  together.apply(rows);
  EXPECT_NEAR(together.loss(), rows.loss.mean().item<double>(), 1e-6);
  for (int64_t r = 0; r < 3; ++r) {
    apart.apply(value::sliceRows(rows, r, r + 1));
    steps.apply({{rows.flat[r].clone(), 0.0}, 1.0});
  }
  EXPECT_TRUE(together.weights().flat.equal(apart.weights().flat));
  EXPECT_TRUE(together.weights().flat.equal(steps.weights().flat));
}

TEST(A2cLearner, TheLearningRateFallsToNothing) {
  EXPECT_EQ(annealed({.lr = 0.5}, 5, 10), 0.25);
  EXPECT_EQ(annealed({.lr = 0.5}, 20, 10), 0);  // more came than was planned for
  EXPECT_EQ(annealed({.lr = 0.5, .anneal = false}, 20, 10), 0.5);
}

}  // namespace
}  // namespace fdg::rl
