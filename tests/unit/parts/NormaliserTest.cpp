#include "algorithms/parts/Normaliser.h"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/parts/Evaluator.h"
#include "algorithms/parts/Rollout.h"
#include "tests/unit/parts/OnPolicy.h"

namespace fdg::rl {
namespace {

std::vector<float> numbers(int64_t count, double mean, double deviation, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> draw(static_cast<float>(mean), static_cast<float>(deviation));
  std::vector<float> all(static_cast<size_t>(count));
  for (float& x : all) {
    x = draw(generator);
  }
  return all;
}

TEST(Normaliser, PiecesHaveTheMomentsOfTheWhole) {
  for (const double mean : {0.0, 3.0, 1e4}) {
    const std::vector<float> all = numbers(2 * 600, mean, 0.5, 7);
    Normaliser normaliser(2);
    for (const auto& [first, rows] : {std::pair{0, 1}, {1, 99}, {100, 0}, {100, 400}, {500, 100}}) {
      normaliser.absorb(normaliser.sums(all.data() + 2 * first, rows));
    }
    for (int64_t i = 0; i < 2; ++i) {
      double sum = 0;
      double squares = 0;
      for (int64_t row = 0; row < 600; ++row) {
        sum += all[static_cast<size_t>(2 * row + i)];
      }
      for (int64_t row = 0; row < 600; ++row) {
        const double difference = all[static_cast<size_t>(2 * row + i)] - sum / 600;
        squares += difference * difference;
      }
      EXPECT_NEAR(normaliser.mean(i), sum / 600, 1e-9 * (1 + mean));
      EXPECT_NEAR(normaliser.deviation(i), std::sqrt(squares / 600), 1e-9);
    }
  }
}

TEST(Normaliser, SharesAddUp) {
  const std::vector<float> all = numbers(3 * 50, 2, 1, 3);
  Normaliser normaliser(3);
  normaliser.absorb(normaliser.sums(all.data(), 20));
  const torch::Tensor whole = normaliser.sums(all.data() + 60, 30);
  const torch::Tensor shares =
      normaliser.sums(all.data() + 60, 13) + normaliser.sums(all.data() + 60 + 39, 17);
  EXPECT_TRUE(torch::allclose(whole, shares, 1e-12, 1e-12));
}

TEST(Normaliser, WhatDoesNotChangeIsNotBlownUp) {
  const std::vector<float> same(40, 5.0f);
  Normaliser normaliser(1);
  EXPECT_EQ(normaliser.deviation(0), 1);
  normaliser.absorb(normaliser.sums(same.data(), 40));
  EXPECT_EQ(normaliser.mean(0), 5);
  EXPECT_EQ(normaliser.deviation(0), 1e-4);
}

TEST(Normaliser, ObservationsAreScaledOnlyWhereTheNetworkHasMoments) {
  const std::vector<float> x = {1, 2, 3, 100};
  NetworkLayout layout;
  layout.add("actor", "tanh", {2, 4, 1});
  EXPECT_EQ(ScaledObservations(layout).of(nullptr, x.data(), 2), x.data());

  ScaledObservations::addTo(layout, 2);
  Stream stream(1, "init");
  std::vector<float> parameters = initActorCritic(layout, 0.3, stream);
  ScaledObservations scaled(layout);
  const float* plain = scaled.of(parameters.data(), x.data(), 2);
  EXPECT_EQ(std::vector<float>(plain, plain + 4), (std::vector<float>{1, 2, 3, 10}));

  Normaliser normaliser(2);
  normaliser.absorb(normaliser.sums(x.data(), 2));  // means 2 and 51, deviations 1 and 49
  scaled.load(normaliser, parameters);
  const float* moved = scaled.of(parameters.data(), x.data(), 2);
  EXPECT_EQ(std::vector<float>(moved, moved + 4), (std::vector<float>{-1, -1, 1, 1}));
}

TEST(Normaliser, GreedyPlaySeesWhatTheActorSaw) {
  const EnvSpec spec = boxSpec(/*discrete=*/true);
  Stream stream(1, "init");
  const NetworkLayout plain = actorCriticLayout(spec, {8});
  const NetworkLayout layout = actorCriticLayout(spec, {8}, "tanh", /*scaled=*/true);
  std::vector<float> parameters = initActorCritic(layout, 0, stream);
  const std::vector<float> learned(parameters.begin(), parameters.begin() + plain.parameters());
  const torch::Tensor observation = 5 * noise(stream, {40, 3}) + 2;
  Normaliser normaliser(3);
  normaliser.absorb(normaliser.sums(observation.data_ptr<float>(), 40));
  ScaledObservations scaled(layout);
  scaled.load(normaliser, parameters);
  const torch::Tensor seen = torch::from_blob(
      const_cast<float*>(scaled.of(parameters.data(), observation.data_ptr<float>(), 40)), {40, 3});
  EXPECT_TRUE(torch::equal(actGreedily(spec, makeWeights(parameters, layout), observation),
                           actGreedily(spec, makeWeights(learned, plain), seen)));
}

}  // namespace
}  // namespace fdg::rl
