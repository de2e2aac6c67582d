#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/DqnLearner.h"
#include "algorithms/parts/QActor.h"

namespace fdg::rl {
namespace {

EnvSpec boxSpec() {
  return {.name = "box", .observation_shape = {3}, .actions = 4, .low = {}, .high = {}};
}

torch::Tensor noise(Stream& stream, torch::IntArrayRef sizes) {
  auto t = torch::empty(sizes, torch::kFloat32);
  stream.fillNormal(0, {t.data_ptr<float>(), static_cast<size_t>(t.numel())});
  return t;
}

Batch randomBatch(Stream& stream, int64_t rows) {
  auto action = torch::empty({rows}, torch::kInt64);
  auto discount = torch::empty({rows}, torch::kFloat32);
  for (int64_t r = 0; r < rows; ++r) {
    action[r] = stream.below(0, 4);
    discount[r] = stream.below(0, 4) == 0 ? 0.0 : 0.9;
  }
  return {{noise(stream, {rows, 3}), action, 3 * noise(stream, {rows}), noise(stream, {rows, 3}),
           discount},
          noise(stream, {rows}).abs(),
          torch::arange(rows),
          torch::ones({rows}, torch::kInt64)};
}

torch::Tensor qByTorch(const NetworkLayout& layout, const torch::Tensor& flat, torch::Tensor x) {
  const Block& block = layout.blocks().front();
  int64_t at = 0;
  for (size_t l = 0; l + 1 < block.sizes.size(); ++l) {
    const int64_t in = block.sizes[l], out = block.sizes[l + 1];
    x = torch::addmm(flat.slice(0, at + in * out, at + (in + 1) * out), x,
                     flat.slice(0, at, at + in * out).view({in, out}));
    at += (in + 1) * out;
    x = l + 2 < block.sizes.size() ? torch::relu(x) : x;
  }
  if (block.name == "dueling") {
    const auto advantage = x.slice(1, 0, x.size(1) - 1);
    x = x.slice(1, x.size(1) - 1) + advantage - advantage.mean(1, true);
  }
  return x;
}

class DqnLearnerBy : public testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(DqnLearnerBy, AgreesWithAutograd) {
  const auto [double_q, dueling] = GetParam();
  const DqnOptions options = {.hidden = {16, 8},
                              .double_q = double_q,
                              .dueling = dueling,
                              .target_every = 2,
                              .target_rate = 1};
  const NetworkLayout layout = qLayout(boxSpec(), options);
  DqnLearner learner(boxSpec(), options, Stream(1, "learner"));
  torch::Tensor target = learner.weights().flat;
  Stream stream(2, "data");
  for (int step = 0; step < 4; ++step) {
    const Batch batch = randomBatch(stream, 32);
    const Transitions& t = batch.transitions;
    const auto flat = learner.weights().flat.requires_grad_();
    torch::Tensor loss, error;
    {
      const auto next = qByTorch(layout, target, t.next_observation);
      const auto chosen = double_q ? qByTorch(layout, flat, t.next_observation).detach() : next;
      const auto best = next.gather(1, chosen.argmax(1, true)).squeeze(1);
      const auto wanted = t.reward + t.discount * best;
      const auto q =
          qByTorch(layout, flat, t.observation).gather(1, t.action.unsqueeze(1)).squeeze(1);
      error = (q - wanted).detach();
      loss = (batch.weight * torch::smooth_l1_loss(q, wanted, at::Reduction::None)).mean();
      loss.backward();
    }
    const auto grads = learner.gradients(batch);
    EXPECT_EQ(grads.weight, 32);
    EXPECT_NEAR(grads.value.loss, loss.item<double>(), 1e-5);
    EXPECT_TRUE(torch::allclose(grads.value.flat, flat.grad(), 1e-4, 1e-6));
    const Priorities priorities = learner.apply(grads, batch);
    EXPECT_TRUE(torch::allclose(priorities.error, error, 1e-4, 1e-5));
    EXPECT_TRUE(priorities.index.equal(batch.index));
    if (step % 2 == 1) {
      target = learner.weights().flat;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Options, DqnLearnerBy, testing::Combine(testing::Bool(), testing::Bool()));

TEST(DqnLearner, TakesABatchWithoutRows) {
  DqnLearner learner(boxSpec(), {.hidden = {8}}, Stream(1, "learner"));
  Stream stream(2, "data");
  const auto grads = learner.gradients(randomBatch(stream, 0));
  EXPECT_EQ(grads.weight, 0);
  EXPECT_EQ(grads.value.flat.abs().sum().item<float>(), 0);
}

TEST(DqnLearner, GivesItsWeightsAwayAsACopy) {
  DqnLearner learner(boxSpec(), {.hidden = {8}}, Stream(1, "learner"));
  const Weights before = learner.weights();
  before.flat.fill_(7);
  EXPECT_FALSE(learner.weights().flat.equal(before.flat));
}

TEST(DqnLearner, TheLearningRateFallsToOnePercent) {
  EXPECT_EQ(decayed(0, 0), 1);
  EXPECT_EQ(decayed(1'000'000, 0), 1);
  EXPECT_EQ(decayed(50, 100), 0.5);
  EXPECT_EQ(decayed(1'000, 100), 0.01);
}

TEST(QActor, ExploresOnTheLadderOfApeX) {
  const DqnOptions options = {.hidden = {8}, .explore_ladder = true};
  DqnLearner learner(boxSpec(), options, Stream(1, "learner"));
  const int64_t rows = 4;
  QActor actor(boxSpec(), {0, rows, rows}, options, Stream(1, "actor"));
  actor.load(learner.weights());
  Stream stream(2, "data");
  const auto observation = noise(stream, {1, 3}).expand({rows, 3}).contiguous();
  std::vector<double> differs(static_cast<size_t>(rows));
  const auto q = qByTorch(qLayout(boxSpec(), options), learner.weights().flat, observation);
  const int64_t greedy = q[0].argmax().item<int64_t>();
  constexpr int kSteps = 20'000;
  for (int step = 0; step < kSteps; ++step) {
    const auto action = actor.act(observation, step);
    for (int64_t r = 0; r < rows; ++r) {
      differs[static_cast<size_t>(r)] += action.data_ptr<int64_t>()[r] != greedy ? 1.0 / kSteps : 0;
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    const double epsilon = std::pow(0.4, 1 + 7.0 * static_cast<double>(r) / 3);
    EXPECT_NEAR(differs[static_cast<size_t>(r)], epsilon * 3 / 4, 0.02) << "row " << r;
  }
}

TEST(QActor, NeedsWeightsAndItsRows) {
  QActor actor(boxSpec(), {0, 2, 2}, {.hidden = {8}}, Stream(1, "actor"));
  EXPECT_THROW(actor.act(torch::zeros({2, 3}), 0), UserError);
  actor.load(DqnLearner(boxSpec(), {.hidden = {8}}, Stream(1, "l")).weights());
  EXPECT_THROW(actor.act(torch::zeros({3, 3}), 0), UserError);
  EXPECT_THROW(actor.act(torch::zeros({2, 4}), 0), UserError);
  EXPECT_EQ(actor.act(torch::zeros({2, 3}), 0).size(0), 2);
}

TEST(QActor, RefusesContinuousActions) {
  EnvSpec spec = boxSpec();
  spec.discrete = false;
  EXPECT_THROW(QActor(spec, {0, 1, 1}, {}, Stream(1, "actor")), UserError);
}

}  // namespace
}  // namespace fdg::rl
