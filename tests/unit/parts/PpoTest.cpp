#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/PolicyGradient.h"
#include "algorithms/parts/PpoLearner.h"
#include "fdg/rows.h"
#include "tests/unit/parts/OnPolicy.h"

namespace fdg::rl {
namespace {

Rollout randomRollout(Stream& stream, const EnvSpec& spec, int64_t rows, int64_t steps) {
  auto action = spec.discrete ? torch::empty({rows, steps}, torch::kInt64)
                              : noise(stream, {rows, steps, spec.actions});
  if (spec.discrete) {
    for (int64_t i = 0; i < rows * steps; ++i) {
      action.data_ptr<int64_t>()[i] = stream.below(0, spec.actions);
    }
  }
  const auto log_prob = 0.5 * noise(stream, {rows, steps}) - (spec.discrete ? 1.386 : 2.8);
  return {noise(stream, {rows, steps, 3}),
          action,
          log_prob,
          noise(stream, {rows, steps}),
          noise(stream, {rows, steps}),
          noise(stream, {rows, steps}),
          noise(stream, {rows, steps}) > 1};
}

/// One row's advantages as a tensor.
torch::Tensor advantagesByLoop(const Rollout& rollout, double gamma, double lambda) {
  auto advantage = torch::zeros_like(rollout.reward);
  for (int64_t r = 0; r < rollout.reward.size(0); ++r) {
    double next = 0;
    for (int64_t t = rollout.reward.size(1); t-- > 0;) {
      const double delta = rollout.reward[r][t].item<double>() +
                           gamma * rollout.next_value[r][t].item<double>() -
                           rollout.value[r][t].item<double>();
      next = delta + (rollout.ended[r][t].item<bool>() ? 0 : gamma * lambda * next);
      advantage[r][t] = next;
    }
  }
  return advantage;
}

torch::Tensor lossByTorch(const EnvSpec& spec, const PpoOptions& o, const torch::Tensor& flat,
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
  const auto raw = advantagesByLoop(rollout, o.gamma, o.lambda).view(-1);
  const auto advantage = (raw - raw.mean()) / (raw.std() + 1e-8);
  const auto ratio = (log_prob - rollout.log_prob.view(-1)).exp();
  const auto policy =
      torch::max(-advantage * ratio, -advantage * ratio.clamp(1 - o.clip, 1 + o.clip)).mean();
  const auto old = rollout.value.view(-1);
  const auto wanted = raw + old;
  auto error = (value - wanted).pow(2);
  if (o.value_clip > 0) {
    error =
        torch::max(error, (old + (value - old).clamp(-o.value_clip, o.value_clip) - wanted).pow(2));
  }
  return policy - o.entropy_weight * entropy + o.value_weight * 0.5 * error.mean();
}

class PpoLearnerBy : public testing::TestWithParam<std::tuple<bool, double, const char*>> {};

TEST_P(PpoLearnerBy, AgreesWithAutograd) {
  const auto [discrete, value_clip, activation] = GetParam();
  const EnvSpec spec = boxSpec(discrete);
  const PpoOptions options = {.hidden = {16, 8},
                              .activation = activation,
                              .value_clip = value_clip,
                              .entropy_weight = 0.02,
                              .initial_log_std = -0.3};
  PpoLearner learner(spec, {0, 3, 3}, 1, options, Stream(1, "learner"));
  Stream stream(2, "data");
  for (int step = 0; step < 3; ++step) {
    const Rollout rollout = randomRollout(stream, spec, 3, 11);
    const auto flat = learner.weights().flat.requires_grad_();
    const auto loss = lossByTorch(spec, options, flat, rollout);
    loss.backward();
    learner.begin(rollout, 0);
    learner.shuffle();
    const Moments moments = learner.moments(0);
    EXPECT_EQ(moments.count, 33);
    const auto grads = learner.gradients(0, moments);
    EXPECT_NEAR(grads.value.loss, loss.item<double>(), 1e-4);
    EXPECT_TRUE(torch::allclose(grads.value.flat, flat.grad(), 1e-3, 1e-5));
    learner.apply(grads);
  }
}

INSTANTIATE_TEST_SUITE_P(Options, PpoLearnerBy,
                         testing::Combine(testing::Bool(), testing::Values(0.0, 0.2),
                                          testing::Values("tanh", "relu")));

TEST(ActorCritic, HasTheActivationAskedForOrSaysWhichThereAre) {
  const EnvSpec spec = boxSpec(true);
  EXPECT_EQ(actorCritic(spec, PpoOptions{}), "actor tanh 3 64 64 4; critic tanh 3 64 64 1");
  EXPECT_EQ(actorCritic(spec, PpoOptions{.hidden = {8}, .activation = "relu"}),
            "actor relu 3 8 4; critic relu 3 8 1");
  EXPECT_EQ(centralCritic(spec, {8}, true, "relu"), "actor0 relu 3 8 4; critic0 relu 3 8 1");
  for (const char* wrong : {"", "Tanh", "gelu", "normed_silu", "vector"}) {
    try {
      actorCritic(spec, A2cOptions{.activation = wrong});
      ADD_FAILURE() << wrong;
    } catch (const UserError& error) {
      EXPECT_EQ(std::string(error.what()), "a2c.activation is \"" + std::string(wrong) +
                                               "\"; it must be tanh or relu");
    }
  }
}

TEST(PpoLearner, Case24AMinibatchOfOneSampleIsNotNormalised) {
  const EnvSpec spec = boxSpec(true);
  PpoLearner learner(spec, {0, 1, 1}, 3, {.hidden = {8}}, Stream(1, "learner"));
  Stream stream(2, "data");
  learner.begin(randomRollout(stream, spec, 1, 3), 0);
  learner.shuffle();
  for (int64_t k = 0; k < 3; ++k) {
    const Moments moments = learner.moments(k);
    EXPECT_EQ(moments.count, 1);
    const auto grads = learner.gradients(k, moments);
    EXPECT_TRUE(std::isfinite(grads.value.loss));
    EXPECT_TRUE(grads.value.flat.isfinite().all().item<bool>());
  }
}

TEST(PpoLearner, EachEpochDealsEverySampleOnce) {
  const EnvSpec spec = boxSpec(true);
  PpoLearner learner(spec, {0, 5, 5}, 4, {.hidden = {8}}, Stream(1, "learner"));
  Stream stream(2, "data");
  const Rollout rollout = randomRollout(stream, spec, 5, 13);
  learner.begin(rollout, 0);
  const auto all = advantagesByLoop(rollout, 0.99, 0.95).to(torch::kFloat64);
  for (int epoch = 0; epoch < 3; ++epoch) {
    learner.shuffle();
    Moments sum;
    for (int64_t k = 0; k < 4; ++k) {
      const Moments part = learner.moments(k);
      EXPECT_NEAR(part.count, 65.0 / 4, 1);
      sum.count += part.count;
      sum.sum += part.sum;
      sum.squares += part.squares;
    }
    EXPECT_EQ(sum.count, 65);
    EXPECT_NEAR(sum.sum, all.sum().item<double>(), 1e-4);
    EXPECT_NEAR(sum.deviation(), all.std().item<double>(), 1e-4);
  }
}

/// The sum of moments and the weighted mean of gradients over learners, as the runtime reduces
/// them.
Moments sumOf(const std::vector<Moments>& parts) {
  Moments sum;
  for (const Moments& part : parts) {
    sum.count += part.count;
    sum.sum += part.sum;
    sum.squares += part.squares;
  }
  return sum;
}

Weighted<Gradients> meanOf(const std::vector<Weighted<Gradients>>& parts) {
  Weighted<Gradients> mean = {{torch::zeros_like(parts[0].value.flat), 0}, 0};
  for (const auto& part : parts) {
    mean.weight += part.weight;
  }
  for (const auto& part : parts) {
    mean.value.flat += part.value.flat * (part.weight / mean.weight);
    mean.value.loss += part.value.loss * part.weight / mean.weight;
  }
  return mean;
}

TEST(PpoLearner, SharesOfMinibatchesAddUpToTheWhole) {
  for (const bool discrete : {true, false}) {
    const EnvSpec spec = boxSpec(discrete);
    const PpoOptions options = {.hidden = {16}, .entropy_weight = 0.01};
    PpoLearner whole(spec, {0, 4, 4}, 8, options, Stream(1, "learner"));
    std::vector<PpoLearner> parts;
    for (const Rows rows :
         {Rows{0, 1, 4}, Rows{1, 4, 4}, Rows{4, 4, 4}}) {  // the last owns nothing
      parts.emplace_back(spec, rows, 8, options, Stream(1, "learner"));
    }
    Stream stream(2, "data");
    const Rollout rollout = randomRollout(stream, spec, 4, 6);
    whole.begin(rollout, 0.25);
    parts[0].begin(value::sliceRows(rollout, 0, 1), 0.25);
    parts[1].begin(value::sliceRows(rollout, 1, 4), 0.25);
    parts[2].begin(value::sliceRows(rollout, 4, 4), 0.25);
    for (int epoch = 0; epoch < 3; ++epoch) {
      whole.shuffle();
      for (auto& part : parts) {
        part.shuffle();
      }
      for (int64_t k = 0; k < 8; ++k) {
        std::vector<Moments> moments;
        for (auto& part : parts) {
          moments.push_back(part.moments(k));
        }
        const Moments sum = sumOf(moments);
        EXPECT_EQ(sum.count, whole.moments(k).count);
        EXPECT_NEAR(sum.squares, whole.moments(k).squares, 1e-9);
        std::vector<Weighted<Gradients>> terms;
        for (auto& part : parts) {
          terms.push_back(part.gradients(k, sum));
        }
        const auto mean = meanOf(terms);
        const auto all = whole.gradients(k, whole.moments(k));
        EXPECT_EQ(mean.weight, all.weight);
        EXPECT_NEAR(mean.value.loss, all.value.loss, 1e-5);
        EXPECT_TRUE(torch::allclose(mean.value.flat, all.value.flat, 1e-4, 1e-6));
        whole.apply(all);
        for (auto& part : parts) {
          part.apply(all);
        }
      }
    }
  }
}

TEST(Distributions, SoftmaxDrawsByItsProbabilities) {
  const std::vector<float> logits = {0.5f, -1.0f, 2.0f};
  const float total = logSumExp(logits.data(), 3);
  Stream stream(3, "softmax");
  std::vector<double> share(3);
  for (int i = 0; i < 100'000; ++i) {
    share[static_cast<size_t>(sampleSoftmax(logits.data(), 3, stream.uniform()))] += 1e-5;
  }
  for (size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(share[a], std::exp(logits[a] - total), 0.01);
  }
  EXPECT_EQ(sampleSoftmax(logits.data(), 3, 1.0), 2);
}

TEST(Distributions, BoundsAreKept) {
  EnvSpec spec = boxSpec(false);
  EXPECT_EQ(toBounds(spec, 0, 5.0f), 2);
  EXPECT_EQ(toBounds(spec, 0, -5.0f), -2);
  EXPECT_EQ(toBounds(spec, 1, 0.5f), 1);
  spec.high[0] = INFINITY;
  EXPECT_EQ(toBounds(spec, 0, 5.0f), 5);
}

}  // namespace
}  // namespace fdg::rl
