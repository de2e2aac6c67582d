#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/PrioritizedReplay.h"
#include "algorithms/parts/UniformReplay.h"

namespace fdg::rl {
namespace {

EnvSpec lineSpec() {
  return {.name = "line", .observation_shape = {1}, .actions = 2, .low = {}, .high = {}};
}

/// Rows numbered from `first`: the number is in the observation and the reward.
Transitions numbered(int64_t first, int64_t count) {
  const auto numbers = torch::arange(first, first + count).to(torch::kFloat32);
  return {numbers.view({count, 1}).clone(), torch::zeros({count}, torch::kInt64), numbers.clone(),
          (numbers + 1).view({count, 1}), torch::full({count}, 0.5f)};
}

Experience withErrors(const std::vector<float>& errors, int64_t first = 0) {
  return {numbered(first, static_cast<int64_t>(errors.size())), torch::tensor(errors)};
}

PrioritizedReplay replayOf(ReplayOptions options, const std::vector<float>& errors) {
  options.epsilon = 0;
  PrioritizedReplay replay(lineSpec(), options, Stream(1, "replay"));
  replay.add(withErrors(errors));
  return replay;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

Rows wholeBatch(int64_t n) { return {0, n, n}; }

TEST(PrioritizedReplay, Case3OneItemCanBeSampled) {
  auto replay = replayOf({.capacity = 10}, {0.7f});
  EXPECT_EQ(replay.sample(wholeBatch(1)).index[0].item<int64_t>(), 0);
}

TEST(PrioritizedReplay, Case4TheNewestItemIsDrawnToo) {
  auto replay = replayOf({.capacity = 10}, {1, 1, 1, 1});
  std::vector<int> counts(4);
  for (int i = 0; i < 40'000; ++i) {
    ++counts[static_cast<size_t>(replay.sample(wholeBatch(1)).index[0].item<int64_t>())];
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 10'000, 400);
  }
}

TEST(PrioritizedReplay, Case7And8NewItemsGetTheLargestRawPriorityInTheBuffer) {
  auto replay = replayOf({.capacity = 2, .alpha = 0.5}, {4});
  replay.add(numbered(1, 1));
  EXPECT_DOUBLE_EQ(replay.rawPriority(1), 4);
  EXPECT_DOUBLE_EQ(replay.mass(), 2 + 2);
  auto other = replayOf({.capacity = 4, .alpha = 0.7}, {2});
  other.add(numbered(1, 1));
  EXPECT_NEAR(other.mass(), 2 * 1.6245, 1e-4);
  // The largest one is overwritten: what counts is what is in the buffer now.
  replay.update({integers({1}), torch::tensor({int64_t{1}}), torch::tensor({1.0f})});
  replay.add(withErrors({3}, 2));
  replay.add(numbered(3, 1));
  EXPECT_DOUBLE_EQ(replay.rawPriority(1), 3);
}

TEST(PrioritizedReplay, Case10NegativeErrorsCountBySize) {
  auto replay = replayOf({.capacity = 4, .alpha = 1}, {1, 1});
  replay.update({integers({0, 1}), torch::ones({2}, torch::kInt64), torch::tensor({-2.0f, 1.0f})});
  EXPECT_DOUBLE_EQ(replay.rawPriority(0), 2);
  EXPECT_DOUBLE_EQ(replay.rawPriority(1), 1);
}

TEST(PrioritizedReplay, Case11OneItemHasWeightOne) {
  auto replay = replayOf({.capacity = 100, .beta = 1}, {0.3f});
  EXPECT_EQ(replay.sample(wholeBatch(1)).weight[0].item<float>(), 1);
}

TEST(PrioritizedReplay, Case12RefusesWhatIsNotFiniteAndChangesNothing) {
  auto replay = replayOf({.capacity = 4}, {1, 2});
  const double before = replay.mass();
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    const std::string text = refusal([&] {
      replay.update(
          {integers({0, 1}), torch::ones({2}, torch::kInt64), torch::tensor({5.0f, bad})});
    });
    EXPECT_NE(text.find("index 1"), std::string::npos) << text;
    EXPECT_NE(refusal([&] { replay.add(withErrors({bad})); }).find("index 0"), std::string::npos);
    EXPECT_EQ(replay.mass(), before);
    EXPECT_EQ(replay.size(), 2);
  }
}

/// Importance weights by slot, from a batch in which every slot appears.
std::vector<float> weightsBySlot(PrioritizedReplay& replay, int64_t rows) {
  std::vector<float> weights(static_cast<size_t>(replay.size()));
  for (int i = 0; i < 50; ++i) {
    const Batch batch = replay.sample(wholeBatch(rows));
    for (int64_t r = 0; r < rows; ++r) {
      weights[static_cast<size_t>(batch.index[r].item<int64_t>())] = batch.weight[r].item<float>();
    }
  }
  return weights;
}

TEST(PrioritizedReplay, Case13ImportanceWeightsByEachNormalisation) {
  const auto check = [](const char* normalise, const std::vector<float>& wanted) {
    auto replay =
        replayOf({.capacity = 4, .alpha = 1, .beta = 1, .normalise = normalise}, {1, 2, 3, 4});
    const auto weights = weightsBySlot(replay, normalise == std::string("batch") ? 100 : 1);
    for (size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(weights[i], wanted[i], 1e-4) << normalise;
    }
  };
  check("none", {2.5f, 1.25f, 0.8333f, 0.625f});
  check("buffer", {1, 0.5f, 0.3333f, 0.25f});
  check("batch", {1, 0.5f, 0.3333f, 0.25f});
}

TEST(PrioritizedReplay, Case14DrawsAreStratified) {
  auto replay = replayOf({.capacity = 4}, {1, 1, 1, 1});
  for (int i = 0; i < 100; ++i) {
    const Batch batch = replay.sample(wholeBatch(4));
    EXPECT_TRUE(batch.index.equal(torch::arange(4)));
  }
}

TEST(PrioritizedReplay, DropsAndCountsUpdatesForOverwrittenSlots) {
  auto replay = replayOf({.capacity = 2, .alpha = 1}, {1, 1});
  const Batch old = replay.sample(wholeBatch(2));
  replay.add(withErrors({7}, 2));
  replay.update({old.index, old.generation, torch::tensor({3.0f, 3.0f})});
  EXPECT_EQ(replay.dropped(), 1);
  EXPECT_DOUBLE_EQ(replay.rawPriority(0), 7);
  EXPECT_DOUBLE_EQ(replay.rawPriority(1), 3);
}

TEST(PrioritizedReplay, BetaGrowsToOneAndStays) {
  auto replay = replayOf({.capacity = 2, .beta = 0.4, .beta_steps = 3}, {1, 1});
  for (int i = 0; i < 10; ++i) {
    replay.sample(wholeBatch(1));
  }
  EXPECT_DOUBLE_EQ(replay.beta(), 1);
}

TEST(PrioritizedReplay, RefusesOptionsOutOfRange) {
  const auto build = [](const ReplayOptions& options) {
    return refusal([&] { PrioritizedReplay(lineSpec(), options, Stream(1, "x")); });
  };
  EXPECT_NE(build({.capacity = 0}), "");
  EXPECT_NE(build({.alpha = 2}), "");
  EXPECT_NE(build({.beta = -1}), "");
  EXPECT_NE(build({.normalise = "max"}).find("batch, buffer or none"), std::string::npos);
}

TEST(PrioritizedReplay, RefusesSamplingWhatIsEmptyOrAllZero) {
  PrioritizedReplay empty(lineSpec(), {.capacity = 2}, Stream(1, "x"));
  EXPECT_NE(refusal([&] { empty.sample(wholeBatch(1)); }), "");
  auto zeros = replayOf({.capacity = 2}, {0, 0});
  EXPECT_NE(refusal([&] { zeros.sample(wholeBatch(1)); }), "");
}

TEST(RowStore, KeepsTheNewestRowsInOrderOfWriting) {
  RowStore store(lineSpec(), 5);
  for (int64_t first = 0; first < 12; first += 3) {
    store.add(numbered(first, 3));
  }
  EXPECT_EQ(store.size(), 5);
  const Transitions rows = store.gather({0, 1, 2, 3, 4});
  EXPECT_TRUE(rows.reward.equal(torch::tensor({10.0f, 11.0f, 7.0f, 8.0f, 9.0f})));
  EXPECT_TRUE(rows.next_observation.equal(rows.observation + 1));
  EXPECT_EQ(store.generation(0), 3);
  EXPECT_EQ(store.generation(2), 2);
}

TEST(RowStore, NeverSharesItsMemory) {
  RowStore store(lineSpec(), 4);
  Transitions rows = numbered(0, 4);
  store.add(rows);
  rows.observation.fill_(99);
  store.gather({0, 1}).reward.fill_(99);
  EXPECT_TRUE(store.gather({0, 1, 2, 3}).observation.equal(numbered(0, 4).observation));
  EXPECT_TRUE(store.gather({0, 1, 2, 3}).reward.equal(numbered(0, 4).reward));
}

TEST(RowStore, RefusesRowsThatDoNotFit) {
  RowStore store(lineSpec(), 4);
  EXPECT_NE(refusal([&] { store.add(numbered(0, 5)); }), "");
  Transitions wrong = numbered(0, 2);
  wrong.action = torch::zeros({2}, torch::kFloat32);
  EXPECT_NE(refusal([&] { store.add(wrong); }), "");
  wrong = numbered(0, 2);
  wrong.discount = torch::zeros({3});
  EXPECT_NE(refusal([&] { store.add(wrong); }), "");
  EXPECT_EQ(store.size(), 0);
}

TEST(UniformReplay, DrawsAllRowsEquallyOftenAndOnlyThose) {
  UniformReplay replay(lineSpec(), 100, Stream(1, "uniform"));
  EXPECT_NE(refusal([&] { replay.sample(wholeBatch(1)); }), "");
  replay.add(numbered(0, 8));
  std::vector<int> counts(8);
  for (int i = 0; i < 1000; ++i) {
    const Batch batch = replay.sample(wholeBatch(16));
    for (int64_t r = 0; r < 16; ++r) {
      ++counts[static_cast<size_t>(batch.transitions.reward[r].item<float>())];
    }
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 2000, 250);
  }
}

TEST(UniformReplay, ASharesDrawsAreTheSequentialOnes) {
  UniformReplay whole(lineSpec(), 100, Stream(1, "uniform"));
  UniformReplay part(lineSpec(), 100, Stream(1, "uniform"));
  whole.add(numbered(0, 50));
  part.add(numbered(0, 50));
  const Batch all = whole.sample(wholeBatch(10));
  const Batch some = part.sample({6, 10, 10});
  EXPECT_TRUE(some.index.equal(all.index.slice(0, 6, 10)));
}

}  // namespace
}  // namespace fdg::rl
