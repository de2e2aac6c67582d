#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/Powers.h"
#include "algorithms/parts/PrioritizedReplay.h"
#include "algorithms/parts/UniformReplay.h"
#include "fdg/archive.h"

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

TEST(PrioritizedReplay, Case9RemovingOneLeavesTheOthersTheirPriorities) {
  auto replay = replayOf({.capacity = 4, .alpha = 1}, {1, 2, 3});
  const Batch old = replay.sample(wholeBatch(100));
  EXPECT_EQ(replay.removeOldest(1), 1);
  EXPECT_EQ(replay.size(), 2);
  EXPECT_DOUBLE_EQ(replay.mass(), 5);
  EXPECT_DOUBLE_EQ(replay.rawPriority(1), 2);
  EXPECT_DOUBLE_EQ(replay.rawPriority(2), 3);
  const Batch batch = replay.sample(wholeBatch(100));
  EXPECT_EQ(batch.index.min().item<int64_t>(), 1);
  // News of the removed one is late, and its slot stays empty.
  replay.update({integers({0}), old.generation.slice(0, 0, 1), torch::tensor({9.0f})});
  EXPECT_EQ(replay.dropped(), 1);
  EXPECT_DOUBLE_EQ(replay.mass(), 5);
  EXPECT_EQ(replay.removeOldest(10), 2);
  EXPECT_NE(refusal([&] { replay.sample(wholeBatch(1)); }), "");
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

TEST(PrioritizedReplay, IsCutBackToItsSoftLimitInBulk) {
  auto replay =
      replayOf({.capacity = 100, .soft_limit = 10, .cut_every = 4}, std::vector<float>(30, 1.0f));
  for (int i = 0; i < 4; ++i) {
    replay.sample(wholeBatch(2));
    EXPECT_EQ(replay.size(), 30);
  }
  EXPECT_GE(replay.sample(wholeBatch(50)).transitions.reward.min().item<float>(), 20);
  EXPECT_EQ(replay.size(), 10);
  replay.add(withErrors(std::vector<float>(95, 1.0f), 30));
  EXPECT_EQ(replay.size(), 100);  // the capacity is the hard limit
}

/// The replay in its plainest form, on one thread: what the trees do is their own test.
struct PlainReplay {
  struct Row {
    float number = 0, reward = 0;
    double raw = 0;
    int64_t generation = 0;
  };
  ReplayOptions options;
  std::vector<Row> rows;
  KaryTree tree;
  Stream stream{1, "replay"};
  int64_t next = 0, size = 0;

  explicit PlainReplay(const ReplayOptions& o)
      : options(o), rows(static_cast<size_t>(o.capacity)), tree(o.capacity, Fold::sum) {}

  void set(size_t slot, double raw) {
    rows[slot].raw = raw;
    double scaled = raw;
    powers({&raw, 1}, options.alpha, {&scaled, 1});
    tree.set(static_cast<int64_t>(slot), scaled);
  }
  void add(const Transitions& t, const std::vector<float>& errors) {
    double highest = 0;
    for (const Row& row : rows) {
      highest = std::max(highest, row.raw);
    }
    for (int64_t i = 0; i < t.reward.size(0); ++i) {
      const auto slot = static_cast<size_t>(next);
      rows[slot].number = t.observation[i][0].item<float>();
      rows[slot].reward = t.reward[i].item<float>();
      ++rows[slot].generation;
      set(slot, !errors.empty() ? std::abs(double{errors[static_cast<size_t>(i)]}) + options.epsilon
                : size == 0     ? 1
                                : highest);
      next = (next + 1) % options.capacity;
    }
    size = std::min(size + t.reward.size(0), options.capacity);
  }
  std::vector<int64_t> draw(int64_t count, std::vector<float>& weights) {
    std::vector<int64_t> slots;
    std::vector<double> exact;
    for (int64_t i = 0; i < count; ++i) {
      const double part = tree.total() / static_cast<double>(count);
      slots.push_back(tree.find((static_cast<double>(i) + stream.uniform(i)) * part));
      exact.push_back(static_cast<double>(size) * tree.get(slots.back()) / tree.total());
    }
    powers(exact, -options.beta, exact);
    const double largest = *std::ranges::max_element(exact);
    for (const double weight : exact) {
      weights.push_back(static_cast<float>(weight / largest));
    }
    return slots;
  }
};

TEST(PrioritizedReplay, GivesOneThreadTheBitsOfThePlainForm) {
  const ReplayOptions options = {.capacity = 300};
  PlainReplay plain(options);
  PrioritizedReplay replay(lineSpec(), options, Stream(1, "replay"));
  Stream choice(3, "choice");
  int64_t number = 0;
  for (int round = 0; round < 500; ++round) {
    const int64_t count = 1 + choice.below(0, 9);
    std::vector<float> errors;
    for (int64_t i = 0; round % 3 > 0 && i < count; ++i) {
      errors.push_back(static_cast<float>(choice.uniform(0, -3, 3)));
    }
    const Transitions rows = numbered(number, count);
    number += count;
    plain.add(rows, errors);
    errors.empty() ? replay.add(rows) : replay.add({rows, torch::tensor(errors)});
    const Batch batch = replay.sample(wholeBatch(16));
    std::vector<float> weights;
    const std::vector<int64_t> slots = plain.draw(16, weights);
    ASSERT_TRUE(batch.index.equal(integers(slots)));
    ASSERT_TRUE(batch.weight.equal(torch::tensor(weights)));
    const torch::Tensor news = batch.transitions.reward.remainder(7);
    replay.update({batch.index, batch.generation, news});
    for (int64_t r = 0; r < 16; ++r) {
      const PlainReplay::Row& row = plain.rows[static_cast<size_t>(slots[static_cast<size_t>(r)])];
      ASSERT_EQ(batch.transitions.observation[r][0].item<float>(), row.number);
      ASSERT_EQ(batch.transitions.reward[r].item<float>(), row.reward);
      ASSERT_EQ(batch.generation[r].item<int64_t>(), row.generation);
    }
    for (int64_t r = 0; r < 16; ++r) {
      plain.set(static_cast<size_t>(slots[static_cast<size_t>(r)]),
                std::abs(double{news[r].item<float>()}) + options.epsilon);
    }
    ASSERT_EQ(replay.mass(), plain.tree.total());
  }
  static_assert(PrioritizedReplay::thread_safe);
}

template <class Replay>
void restoreInto(Replay& to, Replay& from) {
  value::Parts parts;
  Archive saver = Archive::saver(parts);
  saver(from);
  Archive restorer = Archive::restorer(parts);
  restorer(to);
  restorer.finish();
}

TEST(PrioritizedReplay, Case31ARestoredOneGoesOnWithTheSameRowsPrioritiesAndDraws) {
  for (const char* normalise : {"batch", "buffer"}) {
    const ReplayOptions options = {
        .capacity = 20, .beta_steps = 50, .epsilon = 0, .normalise = normalise};
    auto saved = replayOf(options, {1, 2, 3, 4, 5});
    saved.add(numbered(5, 18));
    saved.sample(wholeBatch(4));
    PrioritizedReplay restored(lineSpec(), options, Stream(9, "other"));
    restoreInto(restored, saved);
    EXPECT_EQ(restored.size(), saved.size());
    EXPECT_EQ(restored.mass(), saved.mass());
    for (int i = 0; i < 30; ++i) {
      const Batch a = saved.sample(wholeBatch(4));
      const Batch b = restored.sample(wholeBatch(4));
      ASSERT_TRUE(a.index.equal(b.index));
      ASSERT_TRUE(a.generation.equal(b.generation));
      ASSERT_TRUE(a.weight.equal(b.weight));
      ASSERT_TRUE(a.transitions.observation.equal(b.transitions.observation));
      for (PrioritizedReplay* replay : {&saved, &restored}) {
        replay->update({a.index, a.generation, a.transitions.reward});
        replay->add(numbered(23 + i, 1));
        ASSERT_EQ(replay->dropped(), saved.dropped());
      }
      ASSERT_EQ(restored.rawPriority(i % 20), saved.rawPriority(i % 20));
    }
  }
  UniformReplay saved(lineSpec(), 10, Stream(1, "uniform")),
      restored(lineSpec(), 10, Stream(2, "x"));
  saved.add(numbered(0, 8));
  restoreInto(restored, saved);
  EXPECT_TRUE(saved.sample(wholeBatch(5)).index.equal(restored.sample(wholeBatch(5)).index));
  PrioritizedReplay other(lineSpec(), {.capacity = 30}, Stream(1, "x"));
  auto small = replayOf({.capacity = 20}, {1});
  EXPECT_NE(refusal([&] { restoreInto(other, small); }), "");
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
  EXPECT_NE(build({.capacity = 10, .soft_limit = 11}).find("soft_limit"), std::string::npos);
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
