// Several agents in a world: networks for each or for all, critics that see what all of them see,
// against the same computed plainly by LibTorch.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/Evaluator.h"
#include "algorithms/parts/PpoLearner.h"
#include "algorithms/parts/RolloutActor.h"
#include "fdg/rows.h"
#include "tests/unit/parts/OnPolicy.h"

namespace fdg::rl {
namespace {

constexpr int64_t kAgents = 2;

EnvSpec worldSpec() {
  EnvSpec spec = boxSpec(true);
  spec.agents = kAgents;
  return spec;
}

/// Rows of worlds [rows, …, numbers] → what their critics see, [rows, …, agents · numbers].
torch::Tensor seenByCritics(const torch::Tensor& x) {
  std::vector<torch::Tensor> rows;
  for (int64_t r = 0; r < x.size(0); ++r) {
    const int64_t first = r - r % kAgents;
    std::vector<torch::Tensor> parts;
    for (int64_t i = 0; i < kAgents; ++i) {
      parts.push_back(x[first + (r + i) % kAgents]);
    }
    rows.push_back(torch::cat(parts, -1));
  }
  return torch::stack(rows);
}

/// Of every row by its agent's network, [rows, …, outputs].
torch::Tensor byTorch(const NetworkLayout& layout, const std::string& name,
                      const torch::Tensor& flat, const torch::Tensor& x) {
  std::vector<torch::Tensor> rows;
  for (int64_t r = 0; r < x.size(0); ++r) {
    const std::string own = layout.has(name) ? name : name + std::to_string(r % kAgents);
    const auto flat_x = x[r].reshape({-1, x.size(-1)});
    rows.push_back(mlpByTorch(layout.block(own), flat, flat_x));
  }
  return torch::stack(rows);
}

Rollout randomRollout(Stream& stream, const EnvSpec& spec, int64_t rows, int64_t steps) {
  return {noise(stream, {rows, steps, 3}),
          noise(stream, {rows, steps, spec.actions}).argmax(2),
          0.5 * noise(stream, {rows, steps}) - 1.386,
          noise(stream, {rows, steps}),
          noise(stream, {rows, steps}),
          noise(stream, {rows, steps}),
          noise(stream, {rows, steps}) > 1};
}

class Agents : public testing::TestWithParam<bool> {
 protected:
  EnvSpec spec_ = worldSpec();
  PpoOptions options_ = {.hidden = {16, 8}, .entropy_weight = 0.02};
  std::string networks_ = centralCritic(spec_, options_.hidden, GetParam());
};

TEST_P(Agents, HaveTheNetworksTheyAreSaidToHave) {
  EXPECT_EQ(networks_, GetParam() ? "actor0 tanh 3 16 8 4; critic0 tanh 6 16 8 1; "
                                    "actor1 tanh 3 16 8 4; critic1 tanh 6 16 8 1"
                                  : "actor tanh 3 16 8 4; critic tanh 6 16 8 1");
}

TEST_P(Agents, LearnerAgreesWithAutograd) {
  const NetworkLayout layout = NetworkLayout::parse(networks_);
  PpoLearner learner(spec_, {0, 6, 6}, 1, networks_, options_, Stream(1, "learner"));
  Stream stream(2, "data");
  for (int step = 0; step < 3; ++step) {
    const Rollout rollout = randomRollout(stream, spec_, 6, 7);
    const auto flat = learner.weights().flat.requires_grad_();
    const auto all = torch::log_softmax(byTorch(layout, "actor", flat, rollout.observation), 2);
    const auto value =
        byTorch(layout, "critic", flat, seenByCritics(rollout.observation)).squeeze(2);
    const auto log_prob = all.gather(2, rollout.action.unsqueeze(2)).squeeze(2);
    const auto found = advantagesOf(contiguous(rollout), options_.gamma, options_.lambda);
    const auto raw = torch::tensor(found).view({6, 7});
    const auto advantage = (raw - raw.mean()) / (raw.std() + 1e-8);
    const auto ratio = (log_prob - rollout.log_prob).exp();
    const auto loss = torch::max(-advantage * ratio,
                                 -advantage * ratio.clamp(1 - options_.clip, 1 + options_.clip))
                          .mean() +
                      options_.entropy_weight * (all.exp() * all).sum(2).mean() +
                      options_.value_weight * 0.5 * (value - raw - rollout.value).pow(2).mean();
    loss.backward();
    learner.begin(rollout, 0);
    learner.shuffle();
    const Moments moments = learner.moments(0);
    EXPECT_EQ(moments.count, 42);
    const auto grads = learner.gradients(0, moments);
    EXPECT_NEAR(grads.value.loss, loss.item<double>(), 1e-4);
    EXPECT_TRUE(torch::allclose(grads.value.flat, flat.grad(), 1e-3, 1e-5));
    learner.apply(grads);
  }
}

TEST_P(Agents, ActorGivesTheValuesOfCriticsThatSeeAll) {
  const NetworkLayout layout = NetworkLayout::parse(networks_);
  const Weights weights =
      PpoLearner(spec_, {0, 4, 4}, 1, networks_, options_, Stream(1, "learner")).weights();
  RolloutActor actor(spec_, {0, 4, 4}, 2, networks_, Stream(1, "actor"));
  actor.load(weights);
  Stream stream(2, "data");
  std::vector<torch::Tensor> seen;
  const auto cut = torch::tensor({false, false, true, true});
  const torch::Tensor last = noise(stream, {4, 3});
  for (int step = 0; step < 3; ++step) {
    seen.push_back(noise(stream, {4, 3}));
    if (step < 2) {
      actor.act(seen.back());
      const auto no = torch::zeros({4}, torch::kBool);
      actor.record({seen.back(), last, torch::zeros({4}), no, step == 0 ? cut : no});
    }
  }
  const Rollout rollout = actor.rollout(seen.back());
  const auto values = [&](const torch::Tensor& x) {
    return byTorch(layout, "critic", weights.flat, seenByCritics(x)).view({4});
  };
  EXPECT_TRUE(torch::allclose(rollout.value.select(1, 0), values(seen[0]), 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(rollout.next_value.select(1, 1), values(seen[2]), 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(rollout.next_value.select(1, 0),
                              torch::where(cut, values(last), values(seen[1])), 1e-4, 1e-5));
}

TEST_P(Agents, SharesOfMinibatchesAddUpToTheWhole) {
  PpoLearner whole(spec_, {0, 8, 8}, 5, networks_, options_, Stream(1, "learner"));
  std::vector<PpoLearner> parts;
  const std::vector<Rows> cuts = {{0, 2, 8}, {2, 8, 8}, {8, 8, 8}};  // the last owns nothing
  for (const Rows rows : cuts) {
    parts.emplace_back(spec_, rows, 5, networks_, options_, Stream(1, "learner"));
  }
  Stream stream(2, "data");
  const Rollout rollout = randomRollout(stream, spec_, 8, 6);
  whole.begin(rollout, 0);
  whole.shuffle();
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].begin(value::sliceRows(rollout, cuts[i].begin, cuts[i].end), 0);
    parts[i].shuffle();
  }
  double dealt = 0;
  for (int64_t k = 0; k < 5; ++k) {
    const Moments moments = whole.moments(k);
    dealt += moments.count;
    const auto all = whole.gradients(k, moments);
    auto sum = torch::zeros_like(all.value.flat);
    double weight = 0;
    for (auto& part : parts) {
      const auto term = part.gradients(k, moments);
      sum += term.value.flat * term.weight;
      weight += term.weight;
    }
    EXPECT_EQ(weight, all.weight);
    EXPECT_TRUE(torch::allclose(sum / weight, all.value.flat, 1e-4, 1e-6));
  }
  EXPECT_EQ(dealt, 48);
}

TEST_P(Agents, PlayByTheirOwnNetworks) {
  const NetworkLayout layout = NetworkLayout::parse(networks_);
  Stream stream(2, "data");
  const Weights weights = {noise(stream, {layout.parameters()}), networks_};
  const torch::Tensor x = noise(stream, {6, 3});
  EXPECT_TRUE(actGreedily(spec_, weights, x)
                  .equal(byTorch(layout, "actor", weights.flat, x).view({6, -1}).argmax(1)));
}

INSTANTIATE_TEST_SUITE_P(Separate, Agents, testing::Bool());

}  // namespace
}  // namespace fdg::rl
