// Stacks of frames that are stored once each, beside a store that keeps every stack whole: several
// environments in turn, episodes of random length, three-step transitions, rings that overflow.
#include <gtest/gtest.h>

#include "algorithms/parts/NStep.h"
#include "algorithms/parts/PrioritizedReplay.h"
#include "fdg/archive.h"
#include "fdg/rows.h"

namespace fdg::rl {
namespace {

constexpr int64_t kEnvs = 3, kStack = 4, kHeight = 6, kWidth = 5;

EnvSpec imageSpec(torch::ScalarType type) {
  return {.name = "images",
          .observation_shape = {kStack, kHeight, kWidth},
          .actions = 3,
          .observation_type = type};
}

/// Environments whose frames are noise, now and then blank or one seen before. Stacks begin with
/// the first frame repeated or with blank ones, as wrappers do.
class Images {
 public:
  Images(torch::ScalarType type, int64_t mean_length)
      : type_(type), mean_length_(mean_length), stacks_(kEnvs) {
    for (auto& stack : stacks_) {
      begin(stack);
    }
  }

  torch::Tensor observation() const {
    std::vector<torch::Tensor> rows;
    for (const auto& stack : stacks_) {
      rows.push_back(torch::stack(stack));
    }
    return torch::stack(rows);
  }
  Transitions step() {
    const torch::Tensor before = observation();
    Outcome outcome{.observation = {},
                    .final_observation = {},
                    .reward = torch::arange(kEnvs) + static_cast<float>(steps_++),
                    .terminated = torch::zeros({kEnvs}, torch::kBool),
                    .truncated = torch::zeros({kEnvs}, torch::kBool)};
    outcome.reward = outcome.reward.to(torch::kFloat32);
    std::vector<torch::Tensor> last;
    for (size_t e = 0; e < stacks_.size(); ++e) {
      auto& stack = stacks_[e];
      stack.erase(stack.begin());
      stack.push_back(frame());
      last.push_back(torch::stack(stack));
      if (draw_.below(0, mean_length_) == 0) {
        (draw_.below(0, 2) == 0 ? outcome.terminated : outcome.truncated)[static_cast<int64_t>(e)] =
            true;
        begin(stack);
      }
    }
    outcome.observation = observation();
    outcome.final_observation = torch::stack(last);
    return nstep_.push(before, torch::zeros({kEnvs}, torch::kInt64), outcome);
  }
  const std::vector<int64_t>& counts() const { return nstep_.counts(); }

 private:
  torch::Tensor frame() {
    auto pixels = torch::zeros({kHeight, kWidth}, torch::kFloat32);
    if (const int64_t kind = draw_.below(0, 20); kind > 0) {
      for (float& pixel : std::span(pixels.data_ptr<float>(), kHeight * kWidth)) {
        pixel = static_cast<float>(draw_.below(0, kind == 1 ? 1 : 256));
      }
    }
    return pixels.to(type_);
  }
  void begin(std::vector<torch::Tensor>& stack) {
    const torch::Tensor first = frame();
    const bool repeats = draw_.below(0, 2) == 0;
    stack.assign(kStack, repeats ? first : torch::zeros_like(first));
    stack.back() = first;
  }

  torch::ScalarType type_;
  int64_t mean_length_;
  Stream draw_{7, "images"};
  std::vector<std::vector<torch::Tensor>> stacks_;
  NStep nstep_{3, 0.99};
  int64_t steps_ = 0;
};

bool sameBatch(const Batch& a, const Batch& b) {
  value::Parts left, right;
  value::pack(a, left);
  value::pack(b, right);
  return value::sameParts(left, right);
}

TEST(Frames, ComeOutAsFromAStoreThatKeepsEveryStackWhole) {
  for (const auto type : {torch::kUInt8, torch::kFloat32}) {
    for (const int64_t mean_length : {2, 9, 60}) {
      const EnvSpec spec = imageSpec(type);
      const ReplayOptions whole = {.capacity = 150, .soft_limit = 120, .cut_every = 7};
      ReplayOptions shared = whole;
      shared.frames = true;
      shared.frame_capacity = 150 * 2 * kStack + 8 * kStack;  // enough for no frame shared
      PrioritizedReplay plain(spec, whole, Stream(1, "replay"));
      PrioritizedReplay frames(spec, shared, Stream(1, "replay"));
      Images images(type, mean_length);
      for (int i = 0; i < 400; ++i) {
        const Transitions rows = images.step();
        plain.add(rows);
        frames.add(rows);
        ASSERT_EQ(plain.size(), frames.size());
        if (plain.size() == 0) {
          continue;
        }
        const Batch batch = plain.sample({0, 8, 8});
        ASSERT_TRUE(sameBatch(batch, frames.sample({0, 8, 8}))) << "step " << i;
        ASSERT_EQ(batch.transitions.observation.scalar_type(), type);
        const Priorities news = {batch.index, batch.generation, batch.transitions.reward};
        plain.update(news);
        frames.update(news);
      }
      EXPECT_LE(frames.frames(), frames.size() * 2 * kStack);
      frames.removeOldest(1000);
      EXPECT_EQ(frames.frames(), 0) << "nobody holds what nobody can draw";
    }
  }
}

Experience withErrors(const Transitions& rows) { return {rows, rows.reward.abs() + 1}; }

TEST(Frames, InMessagesComeOutAsInWholeStacks) {
  for (const auto type : {torch::kUInt8, torch::kFloat32}) {
    for (const int64_t mean_length : {2, 9, 60}) {
      const EnvSpec spec = imageSpec(type);
      const ReplayOptions options = {.capacity = 300, .frames = true};
      PrioritizedReplay whole(spec, options, Stream(1, "replay"));
      PrioritizedReplay shared(spec, options, Stream(1, "replay"));
      Images images(type, mean_length);
      for (int i = 0; i < 400; ++i) {
        const Experience experience = withErrors(images.step());
        whole.add(experience);
        shared.add(shareFrames(experience));
        ASSERT_EQ(whole.size(), shared.size());
        ASSERT_EQ(whole.frames(), shared.frames());
        if (whole.size() > 0) {
          ASSERT_TRUE(sameBatch(whole.sample({0, 64, 64}), shared.sample({0, 64, 64})));
        }
      }
      shared.removeOldest(1000);
      EXPECT_EQ(shared.frames(), 0) << "each is held as often as it is let go";
    }
  }
}

torch::Tensor stacksOf(const FrameMessage& m, const torch::Tensor& places) {
  return m.frames.index_select(0, places.flatten().to(torch::kInt64))
      .view({places.size(0), kStack, kHeight, kWidth});
}

TEST(Frames, OfOneEnvironmentTravelOnceAndInOrder) {
  Images images(torch::kUInt8, 30);
  FrameMessages messages(50);
  std::vector<std::vector<Transitions>> waiting(kEnvs);
  int64_t rows = 0, frames = 0;
  for (int i = 0; i < 500; ++i) {
    const Experience experience = withErrors(images.step());
    const auto sent = messages.push(experience, images.counts());
    size_t next = 0;
    int64_t begin = 0;
    for (size_t e = 0; e < waiting.size(); begin += images.counts()[e++]) {
      waiting[e].push_back(
          value::sliceRows(experience.transitions, begin, begin + images.counts()[e]));
      std::vector<const Transitions*> parts;
      for (const Transitions& part : waiting[e]) {
        parts.push_back(&part);
      }
      const Transitions all = value::concatRows<Transitions>(parts);
      if (all.reward.size(0) < 50) {
        continue;
      }
      waiting[e].clear();
      ASSERT_LT(next, sent.size());
      const FrameMessage& m = sent[next++];
      rows += m.reward.size(0);
      frames += m.frames.size(0);
      ASSERT_TRUE(stacksOf(m, m.observation).equal(all.observation));
      ASSERT_TRUE(stacksOf(m, m.next_observation).equal(all.next_observation));
      ASSERT_TRUE(m.reward.equal(all.reward) && m.discount.equal(all.discount));
      ASSERT_TRUE(m.error.equal(withErrors(all).error) && m.action.equal(all.action));
    }
    ASSERT_EQ(next, sent.size());
  }
  EXPECT_GE(rows, kEnvs * 9 * 50);
  EXPECT_LE(static_cast<double>(frames), 1.5 * static_cast<double>(rows));
  EXPECT_THROW(messages.push(withErrors(images.step()), {1, 0, 5}), UserError);
}

TEST(Frames, OfMessagesThatDoNotFitAreRefusedUnchanged) {
  const EnvSpec spec = imageSpec(torch::kUInt8);
  PrioritizedReplay replay(spec, {.capacity = 300, .frames = true}, Stream(1, "replay"));
  PrioritizedReplay plain(spec, {.capacity = 300}, Stream(1, "replay"));
  Images images(torch::kUInt8, 9);
  Transitions rows;
  do {
    rows = images.step();
  } while (rows.reward.size(0) == 0);
  const FrameMessage good = shareFrames(withErrors(rows));
  EXPECT_THROW(plain.add(good), UserError);
  for (const int32_t place : {-1, static_cast<int32_t>(good.frames.size(0))}) {
    FrameMessage bad = good;
    bad.next_observation = good.next_observation.clone();
    bad.next_observation[0][1] = place;
    EXPECT_THROW(replay.add(bad), UserError);
  }
  FrameMessage bad = good;
  bad.frames = good.frames.to(torch::kFloat32);
  EXPECT_THROW(replay.add(bad), UserError);
  EXPECT_EQ(replay.size(), 0);
  EXPECT_EQ(replay.frames(), 0);
  replay.add(good);
  EXPECT_EQ(replay.size(), rows.reward.size(0));
  const Transitions flat = {torch::zeros({1, 4}), torch::zeros({1}), torch::zeros({1}),
                            torch::zeros({1, 4}), torch::zeros({1})};
  EXPECT_THROW(shareFrames({flat, torch::zeros({1})}), UserError);
  EXPECT_THROW(FrameMessages(0), UserError);
}

TEST(Frames, ThatRunShortPushTheOldestOutAndNothingElse) {
  PrioritizedReplay replay(imageSpec(torch::kUInt8),
                           {.capacity = 500, .frames = true, .frame_capacity = 200},
                           Stream(1, "replay"));
  Images images(torch::kUInt8, 9);
  std::vector<Transitions> all;
  for (int i = 0; i < 600; ++i) {
    all.push_back(images.step());
    replay.add(all.back());
    ASSERT_LE(replay.frames(), 200);
  }
  EXPECT_GT(replay.size(), 50);
  std::vector<const Transitions*> parts;
  for (const Transitions& rows : all) {
    parts.push_back(&rows);
  }
  const Transitions added = value::concatRows<Transitions>(parts);
  const int64_t first = added.reward.size(0) - replay.size();
  const Batch batch = replay.sample({0, 300, 300});
  for (int64_t r = 0; r < 300; ++r) {
    // Slots are given out in order, so a slot's generation says which row it has.
    const int64_t row =
        batch.index[r].item<int64_t>() + 500 * (batch.generation[r].item<int64_t>() - 1);
    ASSERT_GE(row, first);
    ASSERT_TRUE(batch.transitions.observation[r].equal(added.observation[row]));
    ASSERT_TRUE(batch.transitions.next_observation[r].equal(added.next_observation[row]));
  }
}

TEST(Frames, LongEpisodesNeedOneFrameForATransition) {
  PrioritizedReplay replay(imageSpec(torch::kUInt8), {.capacity = 1500, .frames = true},
                           Stream(1, "replay"));
  Images images(torch::kUInt8, 500);
  for (int i = 0; i < 700; ++i) {
    replay.add(images.step());
  }
  EXPECT_EQ(replay.size(), 1500);
  EXPECT_LT(static_cast<double>(replay.frames()), 1.05 * 1500);
}

TEST(Frames, TwoMillionAtariTransitionsFitIn15GB) {
  const EnvSpec spec = {.name = "Atari",
                        .observation_shape = {4, 84, 84},
                        .actions = 6,
                        .observation_type = torch::kUInt8};
  const PrioritizedReplay replay(spec, {.capacity = 2'000'000, .frames = true}, Stream(1, "x"));
  EXPECT_LE(static_cast<double>(replay.memory()), 15e9);
}

TEST(Frames, AreSavedAndRestoredExactly) {
  const ReplayOptions options = {.capacity = 100, .frames = true};
  const EnvSpec spec = imageSpec(torch::kUInt8);
  PrioritizedReplay saved(spec, options, Stream(1, "replay"));
  Images images(torch::kUInt8, 9);
  for (int i = 0; i < 60; ++i) {
    saved.add(images.step());
  }
  saved.sample({0, 8, 8});
  value::Parts parts;
  Archive saver = Archive::saver(parts);
  saver(saved);
  PrioritizedReplay restored(spec, options, Stream(2, "other"));
  restored.add(images.step());
  Archive restorer = Archive::restorer(parts);
  restorer(restored);
  restorer.finish();
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(saved.frames(), restored.frames());
    const Batch batch = saved.sample({0, 8, 8});
    ASSERT_TRUE(sameBatch(batch, restored.sample({0, 8, 8})));
    const Transitions rows = images.step();
    for (PrioritizedReplay* replay : {&saved, &restored}) {
      replay->add(rows);
      replay->update({batch.index, batch.generation, batch.transitions.reward});
    }
  }
}

TEST(Frames, AreRefusedWhereThereAreNone) {
  const EnvSpec line = {.name = "line", .observation_shape = {4}, .actions = 2};
  EXPECT_THROW(PrioritizedReplay(line, {.frames = true}, Stream(1, "x")), UserError);
  EXPECT_THROW(PrioritizedReplay(imageSpec(torch::kUInt8), {.frames = true, .frame_capacity = 7},
                                 Stream(1, "x")),
               UserError);
}

}  // namespace
}  // namespace fdg::rl
