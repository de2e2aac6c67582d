// What the tests of off-policy learners of continuous actions share: an environment's description,
// random batches, a look into a learner, a squashed Gaussian by LibTorch, learners that share a
// batch.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "algorithms/parts/SquashedActor.h"
#include "algorithms/parts/Transitions.h"
#include "fdg/rows.h"
#include "tests/unit/parts/OnPolicy.h"

namespace fdg::rl {

constexpr int64_t kObservation = 3;
constexpr int64_t kActions = 2;
constexpr double kHigh = 2.0;  // bounds of the actions

inline EnvSpec boxSpec() {
  return {.name = "box",
          .observation_shape = {kObservation},
          .discrete = false,
          .actions = kActions,
          .low = {-kHigh, -kHigh},
          .high = {kHigh, kHigh}};
}

inline Batch randomBatch(Stream& stream, int64_t rows) {
  auto discount = torch::empty({rows}, torch::kFloat32);
  for (int64_t r = 0; r < rows; ++r) {
    discount[r] = stream.below(0, 4) == 0 ? 0.0 : 0.9;
  }
  return {
      {noise(stream, {rows, kObservation}), kHigh * torch::tanh(noise(stream, {rows, kActions})),
       3 * noise(stream, {rows}), noise(stream, {rows, kObservation}), discount},
      torch::ones({rows}),
      torch::arange(rows),
      torch::ones({rows}, torch::kInt64)};
}

/// The state of a learner in the order of its archive.
struct Probe {
  Stream stream;
  std::vector<std::vector<float>> vectors;

  template <class... T>
  void operator()(T&... parts) {
    (take(parts), ...);
  }
  void take(Stream& s) { stream = s; }
  void take(std::vector<float>& v) { vectors.push_back(v); }
  void take(double&) {}
  void take(int64_t&) {}
  template <class T>
  void take(T& part) {
    part.archive(*this);
  }
  torch::Tensor at(size_t i) const { return torch::tensor(vectors[i]).to(torch::kFloat64); }
};

template <class Learner>
Probe stateOf(Learner& learner) {
  Probe probe;
  learner.archive(probe);
  return probe;
}
// Where they are among the vectors.
constexpr size_t kCritics = 0, kTargetCritics = 1, kPolicy = 4, kTargetPolicy = 5;

inline torch::Tensor wide(const torch::Tensor& t) { return t.to(torch::kFloat64); }

/// The draws that the learner is about to make, one per row and dimension.
inline torch::Tensor drawsOf(Stream stream, int64_t rows) {
  auto draws = torch::empty({rows, kActions}, torch::kFloat64);
  for (int64_t i = 0; i < draws.numel(); ++i) {
    draws.data_ptr<double>()[i] = stream.normal(i / kActions);
  }
  return draws;
}

struct SquashedDraw {
  torch::Tensor action, log_prob;
};

inline SquashedDraw squashByTorch(const torch::Tensor& output, const torch::Tensor& draws) {
  const auto mean = output.slice(1, 0, kActions);
  const auto log_std = output.slice(1, kActions).clamp(-20, 2);
  const auto raw = mean + log_std.exp() * draws;
  const auto gaussian = -0.5 * draws.pow(2) - log_std - 0.5 * std::log(2 * std::numbers::pi);
  return {torch::tanh(raw), (gaussian - torch::log(1 - torch::tanh(raw).pow(2))).sum(1)};
}

inline void expectGradient(const Weighted<Gradients>& got, const torch::Tensor& loss,
                           const torch::Tensor& wanted) {
  EXPECT_NEAR(got.value.loss, loss.item<double>(), 1e-4 * (1 + std::abs(loss.item<double>())));
  EXPECT_TRUE(torch::allclose(wide(got.value.flat), wanted, 1e-3, 1e-5));
}

/// Learners that own shares of a batch, one of them nothing, find together what one finds.
template <class Learner, class Options>
void sharesAddUp(const Options& options) {
  const EnvSpec spec = boxSpec();
  Learner whole(spec, {0, 6, 6}, options, Stream(1, "learner"));
  const std::vector<Rows> cuts = {{0, 2, 6}, {2, 6, 6}, {6, 6, 6}};
  std::vector<Learner> parts;
  for (const Rows& rows : cuts) {
    parts.emplace_back(spec, rows, options, Stream(1, "learner"));
  }
  Stream stream(2, "data");
  for (int step = 0; step < 3; ++step) {
    const Batch batch = randomBatch(stream, 6);
    const auto together = [&](auto method) {
      const Weighted<Gradients> all = (whole.*method)(batch);
      auto sum = torch::zeros_like(all.value.flat);
      double weight = 0;
      for (size_t i = 0; i < parts.size(); ++i) {
        const Batch share = value::sliceRows(batch, cuts[i].begin, cuts[i].end);
        const Weighted<Gradients> term = (parts[i].*method)(share);
        sum += term.weight * term.value.flat;
        weight += term.weight;
      }
      EXPECT_EQ(weight, all.weight);
      EXPECT_TRUE(torch::allclose(sum / weight, all.value.flat, 1e-4, 1e-6));
      return all;
    };
    const auto critics = together(&Learner::criticGradients);
    whole.applyCritics(critics);
    std::ranges::for_each(parts, [&](Learner& part) { part.applyCritics(critics); });
    const auto policy = together(&Learner::policyGradients);
    whole.applyPolicy(policy);
    std::ranges::for_each(parts, [&](Learner& part) { part.applyPolicy(policy); });
  }
}

}  // namespace fdg::rl
