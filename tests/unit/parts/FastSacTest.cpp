// FastSAC's learner against the same computed plainly by LibTorch, with the actions that it drew.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/FastSacLearner.h"
#include "tests/unit/parts/OffPolicy.h"

namespace fdg::rl {
namespace {

constexpr int64_t kAtoms = 7;

FastSacOptions smallOptions() {
  return {.policy_hidden = {16, 8},
          .critic_hidden = {12, 10},
          .atoms = kAtoms,
          .value_low = -3,
          .value_high = 2,
          .reward_scale = 0.5,
          .lr = 1e-2,
          .weight_decay = 0.1,
          .target_rate = 0.5,
          .temperature = 0.3};
}

/// The network whose parameters begin at `at`, moved behind it.
torch::Tensor normedByTorch(const std::vector<int64_t>& sizes, const torch::Tensor& flat,
                            int64_t& at, torch::Tensor x) {
  const auto next = [&](int64_t count) {
    at += count;
    return flat.slice(0, at - count, at);
  };
  for (size_t l = 0; l + 1 < sizes.size(); ++l) {
    const int64_t in = sizes[l], out = sizes[l + 1];
    const auto weight = next(in * out).view({in, out});
    x = torch::addmm(next(out), x, weight);
    if (l + 2 < sizes.size()) {
      const auto gain = next(out);
      x = torch::silu(torch::layer_norm(x, {out}, gain, next(out)));
    }
  }
  return x;
}

torch::Tensor policyByTorch(const torch::Tensor& flat, const torch::Tensor& x) {
  int64_t at = 0;
  return normedByTorch({kObservation, 16, 8, 2 * kActions}, flat, at, x);
}

/// Log probabilities [critics, rows, atoms].
torch::Tensor criticsByTorch(const torch::Tensor& flat, const torch::Tensor& x,
                             const torch::Tensor& action) {
  int64_t at = 0;
  const auto inputs = torch::cat({x, action}, 1);
  const std::vector<int64_t> sizes = {kObservation + kActions, 12, 10, kAtoms};
  const auto first = normedByTorch(sizes, flat, at, inputs);
  return torch::log_softmax(torch::stack({first, normedByTorch(sizes, flat, at, inputs)}), 2);
}

torch::Tensor atoms() { return torch::linspace(-3, 2, kAtoms, torch::kFloat64); }

/// Each atom's share of a value is what it is nearer than one atom's width to it.
torch::Tensor projectByTorch(const torch::Tensor& chances, const torch::Tensor& value) {
  const double width = 5.0 / (kAtoms - 1);
  const auto moved = value.clamp(-3, 2);                                        // [rows, atoms]
  const auto distance = (moved.unsqueeze(1) - atoms().view({1, -1, 1})).abs();  // [rows, to, from]
  const auto share = (1 - distance / width).clamp_min(0);
  return (share * chances.unsqueeze(2)).sum(3);  // [critics, rows, to]
}

TEST(FastSacLearner, AgreesWithAutograd) {
  const int64_t rows = 32;
  FastSacLearner learner(boxSpec(), {0, rows, rows}, smallOptions(), Stream(1, "learner"));
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
          squashByTorch(policyByTorch(policy, next), drawsOf(state.stream, rows));
      const auto alpha = policy[-1].exp();
      EXPECT_NEAR(learner.temperature(), alpha.item<double>(), 1e-6);
      const auto value =
          0.5 * wide(t.reward).unsqueeze(1) +
          wide(t.discount).unsqueeze(1) * (atoms() - (alpha * drawn.log_prob).unsqueeze(1));
      const auto wanted =
          projectByTorch(criticsByTorch(state.at(kTargetCritics), next, drawn.action).exp(), value);
      EXPECT_TRUE(torch::allclose(wanted.sum(2), torch::ones({2, rows}, torch::kFloat64)));
      const auto loss =
          -(wanted * criticsByTorch(critics, x, wide(t.action) / kHigh)).sum(2).sum(0).mean();
      loss.backward();
      const auto grads = learner.criticGradients(batch);
      EXPECT_EQ(grads.weight, rows);
      expectGradient(grads, loss, critics.grad());
      learner.applyCritics(grads);
      EXPECT_EQ(learner.loss(), grads.value.loss);
      const Probe applied = stateOf(learner);
      learner.moveTargets();
      EXPECT_TRUE(torch::allclose(stateOf(learner).at(kTargetCritics),
                                  0.5 * (applied.at(kTargetCritics) + applied.at(kCritics)), 1e-5,
                                  1e-6));
    }
    const Probe state = stateOf(learner);
    const auto policy = state.at(kPolicy).requires_grad_();
    const SquashedDraw drawn = squashByTorch(policyByTorch(policy, x), drawsOf(state.stream, rows));
    const auto chances = criticsByTorch(state.at(kCritics), x, drawn.action).exp();
    const auto value = (chances * atoms()).sum(2).mean(0);
    const auto loss = (policy.detach()[-1].exp() * drawn.log_prob - value).mean();
    const auto temperature = -(policy[-1].exp() * drawn.log_prob.detach()).mean();
    (loss + temperature).backward();
    const auto grads = learner.policyGradients(batch);
    expectGradient(grads, loss, policy.grad());
    learner.applyPolicy(grads);
  }
}

TEST(FastSacLearner, TheTemperatureDoesNotDecay) {
  const int64_t rows = 4;
  FastSacOptions options = smallOptions();
  options.automatic_temperature = false;
  FastSacLearner learner(boxSpec(), {0, rows, rows}, options, Stream(1, "learner"));
  const double before = learner.temperature();
  const auto norm = learner.weights().flat.abs().sum().item<double>();
  for (int step = 0; step < 100; ++step) {
    const auto zero = torch::zeros({stateOf(learner).at(kPolicy).numel()});
    learner.applyPolicy({{zero, 0.0}, 1.0});
  }
  EXPECT_EQ(learner.temperature(), before);
  EXPECT_NEAR(learner.weights().flat.abs().sum().item<double>(),
              norm * std::pow(1 - 1e-2 * 0.1, 100), 1e-3 * norm);
}

TEST(FastSacLearner, SharesOfABatchAddUpToTheWhole) { sharesAddUp<FastSacLearner>(smallOptions()); }

TEST(FastSacLearner, TargetsBeginAsTheCritics) {
  FastSacLearner learner(boxSpec(), {0, 4, 4}, smallOptions(), Stream(1, "learner"));
  const Probe state = stateOf(learner);
  EXPECT_EQ(state.vectors[kCritics], state.vectors[kTargetCritics]);
  const NamedTensors named = learner.criticWeights().parameters();
  ASSERT_EQ(named.size(),
            4U * 10);  // two critics and their targets, two normed layers and the last
  EXPECT_EQ(named[0].first, "critic1.0.weight");
  EXPECT_EQ(named[20].first, "target_critic1.0.weight");
  EXPECT_TRUE(torch::equal(named[0].second, named[20].second));
}

/// A reward that is none makes gradients that are none, which the run names; it does not crash.
TEST(FastSacLearner, WhatIsNoNumberIsNotLost) {
  const int64_t rows = 4;
  for (const double wrong : {std::nan(""), HUGE_VAL}) {
    FastSacLearner learner(boxSpec(), {0, rows, rows}, smallOptions(), Stream(1, "learner"));
    Stream stream(2, "data");
    Batch batch = randomBatch(stream, rows);
    batch.transitions.next_observation[1][0] = wrong;
    const auto grads = learner.criticGradients(batch);
    EXPECT_FALSE(torch::isfinite(grads.value.flat).all().item<bool>()) << wrong;
  }
}

TEST(FastSacLearner, RefusesOptionsOutOfRange) {
  const auto with = [](auto change) {
    FastSacOptions options = smallOptions();
    change(options);
    return [options] { FastSacLearner(boxSpec(), {0, 4, 4}, options, Stream(1, "learner")); };
  };
  EXPECT_NO_THROW(with([](FastSacOptions&) {})());
  EXPECT_THROW(with([](FastSacOptions& o) { o.atoms = 1; })(), UserError);
  EXPECT_THROW(with([](FastSacOptions& o) { o.value_low = o.value_high; })(), UserError);
  EXPECT_THROW(with([](FastSacOptions& o) { o.target_rate = 0; })(), UserError);
  EXPECT_THROW(with([](FastSacOptions& o) { o.temperature = 0; })(), UserError);
  EXPECT_THROW(with([](FastSacOptions& o) { o.weight_decay = -1; })(), UserError);
}

TEST(SquashedActor, DrawsFromTheNormedGaussianThatTheLearnerRates) {
  FastSacOptions options = smallOptions();
  options.random_steps = 0;
  FastSacLearner learner(boxSpec(), {0, 1, 1}, options, Stream(1, "learner"));
  SquashedActor actor(boxSpec(), {0, 1, 1}, options, Stream(1, "actor"));
  actor.load(learner.weights());
  const auto x = torch::ones({1, kObservation});
  const auto output = policyByTorch(wide(learner.weights().flat), wide(x));
  Stream draws(1, "actor");
  for (int64_t i = 0; i < 100; ++i) {
    const auto drawn = torch::tensor({draws.normal(0), draws.normal(0)}, torch::kFloat64);
    const auto wanted = kHigh * squashByTorch(output, drawn.unsqueeze(0)).action;
    EXPECT_TRUE(torch::allclose(wide(actor.act(x, i)), wanted, 1e-4, 1e-5));
  }
}

}  // namespace
}  // namespace fdg::rl
