// SAC, TD3 and DDPG against the same computed plainly by LibTorch, with the noise that they drew.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/DpgLearner.h"
#include "algorithms/parts/SacLearner.h"
#include "algorithms/parts/SquashedActor.h"
#include "tests/unit/parts/OffPolicy.h"

namespace fdg::rl {
namespace {

/// The network whose parameters begin at `at`, moved behind it.
torch::Tensor mlpByTorch(const std::vector<int64_t>& sizes, const torch::Tensor& flat, int64_t& at,
                         torch::Tensor x) {
  for (size_t l = 0; l + 1 < sizes.size(); ++l) {
    const int64_t in = sizes[l], out = sizes[l + 1];
    x = torch::addmm(flat.slice(0, at + in * out, at + (in + 1) * out), x,
                     flat.slice(0, at, at + in * out).view({in, out}));
    at += (in + 1) * out;
    x = l + 2 < sizes.size() ? torch::relu(x) : x;
  }
  return x;
}

const std::vector<int64_t> kHidden = {16, 8};

torch::Tensor policyByTorch(int64_t outputs, const torch::Tensor& flat, const torch::Tensor& x) {
  int64_t at = 0;
  return mlpByTorch({kObservation, 16, 8, outputs}, flat, at, x);
}

/// [rows, critics]
torch::Tensor criticsByTorch(int64_t count, const torch::Tensor& flat, const torch::Tensor& x,
                             const torch::Tensor& action) {
  std::vector<torch::Tensor> q;
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    q.push_back(
        mlpByTorch({kObservation + kActions, 16, 8, 1}, flat, at, torch::cat({x, action}, 1)));
  }
  return torch::cat(q, 1);
}

torch::Tensor criticLoss(const torch::Tensor& q, const torch::Tensor& wanted) {
  return (0.5 * (q - wanted.unsqueeze(1)).pow(2)).sum(1).mean();
}

TEST(SacLearner, AgreesWithAutograd) {
  const SacOptions options = {.hidden = kHidden,
                              .policy_lr = 1e-2,
                              .critic_lr = 1e-2,
                              .target_rate = 0.5,
                              .temperature = 0.3};
  const int64_t rows = 32;
  SacLearner learner(boxSpec(), {0, rows, rows}, options, Stream(1, "learner"));
  Stream stream(2, "data");
  for (int step = 0; step < 5; ++step) {
    const Batch batch = randomBatch(stream, rows);
    const Transitions& t = batch.transitions;
    const auto x = wide(t.observation), next = wide(t.next_observation);
    {
      const Probe state = stateOf(learner);
      const auto critics = state.at(kCritics).requires_grad_();
      const auto policy = state.at(kPolicy);
      const SquashedDraw drawn =
          squashByTorch(policyByTorch(2 * kActions, policy, next), drawsOf(state.stream, rows));
      const auto least =
          std::get<0>(criticsByTorch(2, state.at(kTargetCritics), next, drawn.action).min(1));
      const auto alpha = policy[-1].exp();
      EXPECT_NEAR(learner.temperature(), alpha.item<double>(), 1e-6);
      const auto wanted = wide(t.reward) + wide(t.discount) * (least - alpha * drawn.log_prob);
      const auto loss = criticLoss(criticsByTorch(2, critics, x, wide(t.action) / kHigh), wanted);
      loss.backward();
      const auto grads = learner.criticGradients(batch);
      EXPECT_EQ(grads.weight, rows);
      expectGradient(grads, loss, critics.grad());
      learner.applyCritics(grads);
      EXPECT_EQ(learner.loss(), grads.value.loss);
    }
    const Probe state = stateOf(learner);
    const auto policy = state.at(kPolicy).requires_grad_();
    const SquashedDraw drawn =
        squashByTorch(policyByTorch(2 * kActions, policy, x), drawsOf(state.stream, rows));
    const auto least = std::get<0>(criticsByTorch(2, state.at(kCritics), x, drawn.action).min(1));
    const auto alpha = policy.detach()[-1].exp();
    const auto loss = (alpha * drawn.log_prob - least).mean();
    const auto temperature =
        -(policy[-1].exp() * (drawn.log_prob.detach() - static_cast<double>(kActions))).mean();
    (loss + temperature).backward();
    const auto grads = learner.policyGradients(batch);
    expectGradient(grads, loss, policy.grad());
    learner.applyPolicy(grads);
    learner.moveTargets();
    const Probe after = stateOf(learner);
    EXPECT_TRUE(torch::allclose(after.at(kTargetCritics),
                                0.5 * (state.at(kTargetCritics) + state.at(kCritics)), 1e-5, 1e-6));
  }
}

TEST(SacLearner, ADeviationAtItsBoundDoesNotLearn) {
  const int64_t rows = 8;
  const SacOptions options = {.hidden = {}, .automatic_temperature = false};
  SacLearner learner(boxSpec(), {0, rows, rows}, options, Stream(1, "learner"));
  Stream stream(2, "data");
  Batch batch = randomBatch(stream, rows);
  batch.transitions.observation *= 1e4;  // the outputs are far outside the bounds of log deviations
  const auto flat = learner.policyGradients(batch).value.flat;
  const auto weight = flat.slice(0, 0, kObservation * 2 * kActions).view({kObservation, -1});
  EXPECT_EQ(weight.slice(1, kActions).abs().sum().item<float>(), 0);
  EXPECT_EQ(flat[-1].item<float>(), 0);  // and a fixed temperature stays
}

class DpgLearnerBy : public testing::TestWithParam<bool> {};

TEST_P(DpgLearnerBy, AgreesWithAutograd) {
  const bool td3 = GetParam();
  // Noise far above its clip, so that the clamp decides.
  const DpgOptions options = {.hidden = kHidden,
                              .policy_lr = 1e-2,
                              .critic_lr = 1e-2,
                              .target_rate = 0.25,
                              .twin = td3,
                              .smoothing = td3 ? 2.0 : 0.0,
                              .smoothing_clip = 0.5};
  const int64_t rows = 32;
  const int64_t critics_count = td3 ? 2 : 1;
  DpgLearner learner(boxSpec(), {0, rows, rows}, options, Stream(1, "learner"));
  Stream stream(2, "data");
  for (int step = 0; step < 5; ++step) {
    const Batch batch = randomBatch(stream, rows);
    const Transitions& t = batch.transitions;
    const auto x = wide(t.observation), next = wide(t.next_observation);
    {
      const Probe state = stateOf(learner);
      const auto critics = state.at(kCritics).requires_grad_();
      auto action = torch::tanh(policyByTorch(kActions, state.at(kTargetPolicy), next));
      if (td3) {
        const auto smooth = (2 * drawsOf(state.stream, rows)).clamp(-0.5, 0.5);
        action = (action + smooth).clamp(-1, 1);
      }
      const auto least =
          std::get<0>(criticsByTorch(critics_count, state.at(kTargetCritics), next, action).min(1));
      const auto wanted = wide(t.reward) + wide(t.discount) * least;
      const auto loss =
          criticLoss(criticsByTorch(critics_count, critics, x, wide(t.action) / kHigh), wanted);
      loss.backward();
      const auto grads = learner.criticGradients(batch);
      expectGradient(grads, loss, critics.grad());
      learner.applyCritics(grads);
    }
    const Probe state = stateOf(learner);
    const auto policy = state.at(kPolicy).requires_grad_();
    const auto action = torch::tanh(policyByTorch(kActions, policy, x));
    const auto first = criticsByTorch(critics_count, state.at(kCritics), x, action).select(1, 0);
    const auto loss = -first.mean();
    loss.backward();
    const auto grads = learner.policyGradients(batch);
    expectGradient(grads, loss, policy.grad());
    learner.applyPolicy(grads);
    const Probe before = stateOf(learner);
    learner.moveTargets();
    const Probe after = stateOf(learner);
    for (const size_t online : {kCritics, kPolicy}) {
      EXPECT_TRUE(torch::allclose(after.at(online + 1),
                                  0.75 * before.at(online + 1) + 0.25 * before.at(online), 1e-5,
                                  1e-6));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Td3, DpgLearnerBy, testing::Bool());

TEST(SacLearner, SharesOfABatchAddUpToTheWhole) {
  sharesAddUp<SacLearner>(SacOptions{.hidden = kHidden});
}
TEST(DpgLearner, SharesOfABatchAddUpToTheWhole) {
  sharesAddUp<DpgLearner>(DpgOptions{.hidden = kHidden, .twin = true, .smoothing = 0.2});
}

TEST(DpgLearner, RefusesAnotherBatchAndDiscreteActions) {
  DpgLearner learner(boxSpec(), {0, 4, 4}, {.hidden = {8}}, Stream(1, "learner"));
  Stream stream(2, "data");
  EXPECT_THROW(learner.criticGradients(randomBatch(stream, 5)), UserError);
  EnvSpec discrete = boxSpec();
  discrete.discrete = true;
  EXPECT_THROW(DpgLearner(discrete, {0, 4, 4}, {}, Stream(1, "learner")), UserError);
  EXPECT_THROW(SacLearner(discrete, {0, 4, 4}, {}, Stream(1, "learner")), UserError);
  EXPECT_THROW(DpgLearner(boxSpec(), {0, 4, 4}, {.target_rate = 0}, Stream(1, "learner")),
               UserError);
  EXPECT_THROW(SacLearner(boxSpec(), {0, 4, 4}, {.temperature = 0}, Stream(1, "learner")),
               UserError);
}

TEST(Distributions, ASquashedDensityIsOneAndItsTailsAreFinite) {
  for (const double log_std : {-2.0, -1.0, 0.0}) {
    const double mean = 0.4;
    double mass = 0;
    constexpr int kParts = 200'000;
    for (int i = 0; i < kParts; ++i) {
      const double action = -1 + (i + 0.5) * 2 / kParts;
      const double raw = std::atanh(action);
      mass +=
          std::exp(squashedLogProb(raw, (raw - mean) / std::exp(log_std), log_std)) * 2 / kParts;
    }
    EXPECT_NEAR(mass, 1, 1e-3) << log_std;
  }
  // Where 1 − tanh² underflows: log(4 e^(−2x)).
  for (const double raw : {400.0, -400.0}) {
    EXPECT_NEAR(squashedLogProb(raw, 0, 0) + 0.5 * std::log(2 * std::numbers::pi),
                800 - std::log(4.0), 1e-9);
  }
}

TEST(Distributions, ActionsComeBackFromTheBounds) {
  EnvSpec spec = boxSpec();
  spec.low = {-1, -2};
  spec.high = {5, INFINITY};
  EXPECT_EQ(fromBounds(spec, 0, toBounds(spec, 0, 0.25f)), 0.25f);
  EXPECT_EQ(fromBounds(spec, 0, 5.0f), 1);
  EXPECT_EQ(fromBounds(spec, 1, 5.0f), 5);
}

SquashedActor readyActor(const DpgOptions& options) {
  SquashedActor actor(boxSpec(), {0, 1, 1}, options, Stream(1, "actor"));
  actor.load(DpgLearner(boxSpec(), {0, 1, 1}, options, Stream(1, "l")).weights());
  return actor;
}

struct Shape {
  double deviation, memory;  ///< And the correlation of one draw with the one before.
};

/// Of the first action in a state that stays.
Shape noiseOf(SquashedActor& actor, int64_t step) {
  std::vector<double> x;
  double mean = 0;
  constexpr int kSteps = 40'000;
  for (int i = 0; i < kSteps; ++i) {
    const torch::Tensor action = actor.act(torch::zeros({1, kObservation}), step);
    x.push_back(action.data_ptr<float>()[0] / kHigh);
    mean += x.back() / kSteps;
  }
  double variance = 0, together = 0;
  for (int i = 0; i < kSteps; ++i) {
    const auto at = static_cast<size_t>(i);
    variance += (x[at] - mean) * (x[at] - mean) / kSteps;
    together += i > 0 ? (x[at] - mean) * (x[at - 1] - mean) / kSteps : 0;
  }
  return {std::sqrt(variance), together / variance};
}

TEST(SquashedActor, ExploresAsItsOptionsSay) {
  SquashedActor gaussian = readyActor({.hidden = {8}, .explore_noise = 0.1});
  const Shape plain = noiseOf(gaussian, 1'000);
  EXPECT_NEAR(plain.deviation, 0.1, 0.003);
  EXPECT_NEAR(plain.memory, 0, 0.02);
  SquashedActor returning =
      readyActor({.hidden = {8}, .explore_noise = 0.05, .explore_return = 0.2});
  const Shape process = noiseOf(returning, 1'000);
  EXPECT_NEAR(process.deviation, 0.05 / std::sqrt(1 - 0.64), 0.005);
  EXPECT_NEAR(process.memory, 0.8, 0.02);
  SquashedActor uniform = readyActor({.hidden = {8}});
  EXPECT_NEAR(noiseOf(uniform, 0).deviation, 2 / std::sqrt(12), 0.01);
}

TEST(SquashedActor, DrawsFromTheGaussianThatTheLearnerRates) {
  const SacOptions options = {.hidden = kHidden, .random_steps = 0};
  SacLearner learner(boxSpec(), {0, 1, 1}, options, Stream(1, "learner"));
  SquashedActor actor(boxSpec(), {0, 1, 1}, options, Stream(1, "actor"));
  EXPECT_THROW(actor.act(torch::zeros({1, kObservation}), 0), UserError);
  actor.load(learner.weights());
  EXPECT_THROW(actor.act(torch::zeros({2, kObservation}), 0), UserError);
  const auto x = torch::ones({1, kObservation});
  const auto output = policyByTorch(2 * kActions, wide(learner.weights().flat), wide(x));
  Stream draws(1, "actor");
  for (int64_t i = 0; i < 100; ++i) {
    const auto drawn = torch::tensor({draws.normal(0), draws.normal(0)}, torch::kFloat64);
    const auto wanted = kHigh * squashByTorch(output, drawn.unsqueeze(0)).action;
    EXPECT_TRUE(torch::allclose(wide(actor.act(x, i)), wanted, 1e-4, 1e-5));
  }
}

}  // namespace
}  // namespace fdg::rl
