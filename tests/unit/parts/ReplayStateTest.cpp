// What a checkpoint gives back to a replay: whole and of the same replay, or refused with a
// sentence and nothing changed, whatever has become of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/parts/PrioritizedReplay.h"
#include "algorithms/parts/UniformReplay.h"
#include "fdg/archive.h"
#include "fdg/rows.h"

namespace fdg::rl {
namespace {

using testing::HasSubstr;

constexpr int64_t kStack = 2;

EnvSpec images() {
  return {.name = "images",
          .observation_shape = {kStack, 3, 3},
          .actions = 2,
          .observation_type = torch::kUInt8};
}

/// Row i has frames i and i + 1, then i + 1 and i + 2.
Transitions numbered(int64_t first, int64_t count) {
  const auto numbers = torch::arange(first, first + count).view({count, 1, 1, 1});
  const auto before = (numbers + torch::arange(kStack).view({1, kStack, 1, 1}))
                          .expand({count, kStack, 3, 3})
                          .to(torch::kUInt8);
  return {before, torch::zeros({count}, torch::kInt64), torch::ones({count}), before + 1,
          torch::ones({count})};
}

value::Parts saved(auto& replay) {
  value::Parts parts;
  Archive saver = Archive::saver(parts);
  saver(replay);
  for (at::Tensor& tensor : parts.tensors) {
    tensor = tensor.clone();
  }
  return parts;
}

/// The refusal; empty: restored.
std::string restored(auto& replay, value::Parts parts) {
  try {
    Archive restorer = Archive::restorer(parts);
    restorer(replay);
    restorer.finish();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

/// A ring that has come round, with updates, removed rows and free frames.
PrioritizedReplay filled(const ReplayOptions& options) {
  PrioritizedReplay replay(images(), options, Stream(1, "replay"));
  replay.add({numbered(0, 3), torch::tensor({1.F, 2.F, 3.F})});
  replay.add(numbered(40, 3));
  const Batch batch = replay.sample({0, 3, 3});
  replay.update({batch.index, batch.generation, torch::tensor({3.F, 1.F, 4.F})});
  replay.removeOldest(1);
  return replay;
}

UniformReplay filledUniformly(int64_t capacity) {
  UniformReplay replay(images(), capacity, Stream(1, "replay"));
  replay.add(numbered(0, 3));
  replay.sample({0, 2, 2});
  return replay;
}

void use(PrioritizedReplay& replay) {
  if (replay.size() > 0 && replay.mass() > 0) {
    const Batch batch = replay.sample({0, 5, 5});
    replay.update({batch.index, batch.generation, torch::ones({5})});
  }
  replay.add(numbered(90, 4));
  replay.removeOldest(4);
  EXPECT_EQ(replay.frames(), 0);
}
void use(UniformReplay& replay) {
  replay.add(numbered(90, 2));
  replay.sample({0, 5, 5});
}

/// Damaged in every byte, in turn; in every length of every tensor; in types.
template <class Make>
void damage(const Make& make) {
  auto source = make();
  const value::Parts good = saved(source);
  int64_t refused = 0, tried = 0;
  const auto check = [&](const value::Parts& bad) {
    auto replay = make();
    const value::Parts before = saved(replay);
    ++tried;
    if (const std::string why = restored(replay, bad); why.empty()) {
      use(replay);
    } else {
      ++refused;
      ASSERT_TRUE(value::sameParts(saved(replay), before)) << why;
    }
  };
  for (size_t at = 0; at < good.bytes.size(); ++at) {
    for (const int value : {0, 1, 127, 128, 255}) {
      value::Parts bad = good;
      bad.bytes[at] = static_cast<char>(value);
      check(bad);
    }
    value::Parts bad = good;
    bad.bytes.resize(at);
    check(bad);
  }
  for (size_t t = 0; t < good.tensors.size(); ++t) {
    for (int64_t at = 0; at < good.tensors[t].numel(); ++at) {
      value::Parts bad = good;
      bad.tensors[t] = good.tensors[t].clone();
      bad.tensors[t][at] = 255 - bad.tensors[t][at];
      check(bad);
      bad.tensors[t] = good.tensors[t].slice(0, 0, at).clone();
      check(bad);
    }
    for (const auto& other : {good.tensors[t].to(torch::kInt16), torch::Tensor(),
                              good.tensors[t].repeat({2}), torch::zeros({}, torch::kUInt8)}) {
      value::Parts bad = good;
      bad.tensors[t] = other;
      check(bad);
    }
  }
  EXPECT_GT(refused, tried / 5) << "of " << tried;
}

TEST(ReplayState, DamagedInAnyWayIsRefusedUnchangedOrHarmless) {
  damage([] { return filled({.capacity = 4, .frames = true}); });
  damage([] { return filled({.capacity = 4, .normalise = "buffer"}); });
  damage([] { return filledUniformly(4); });
}

TEST(ReplayState, OfAnotherReplayIsRefusedWithBothValues) {
  const ReplayOptions options = {.capacity = 4, .frames = true};
  const auto refusal = [&](const auto& change) {
    ReplayOptions other = options;
    change(other);
    PrioritizedReplay source = filled(other), replay = filled(options);
    const value::Parts before = saved(replay);
    const std::string why = restored(replay, saved(source));
    EXPECT_TRUE(value::sameParts(saved(replay), before));
    return why;
  };
  using O = ReplayOptions;
  EXPECT_THAT(refusal([](O& o) { o.capacity = 5; }),
              HasSubstr("with capacity=5, but this one has capacity=4"));
  EXPECT_EQ(refusal([](O&) {}), "");
  EXPECT_THAT(refusal([](O& o) { o.alpha = std::nextafter(0.6, 1); }),
              HasSubstr("alpha=0.6000000000000001, but this one has alpha=0.6"));
  EXPECT_THAT(refusal([](O& o) { o.beta = 0.5; }),
              HasSubstr("beta=0.5, but this one has beta=0.4"));
  EXPECT_THAT(refusal([](O& o) { o.beta_steps = 7; }), HasSubstr("beta_steps=7"));
  EXPECT_THAT(refusal([](O& o) { o.epsilon = 0.25; }), HasSubstr("epsilon=0.25"));
  EXPECT_THAT(refusal([](O& o) { o.normalise = "none"; }), HasSubstr("normalise=none"));
  EXPECT_THAT(refusal([](O& o) { o.soft_limit = 3; }), HasSubstr("soft_limit=3"));
  EXPECT_THAT(refusal([](O& o) { o.cut_every = 3; }), HasSubstr("cut_every=3"));
  EXPECT_THAT(refusal([](O& o) { o.frames = false; }),
              HasSubstr("frames=0, but this one has frames=1"));
  EXPECT_THAT(refusal([](O& o) { o.frame_capacity = 30; }), HasSubstr("frame_capacity=30"));
  auto small = filledUniformly(4), large = filledUniformly(5);
  EXPECT_THAT(restored(small, saved(large)), HasSubstr("5 transitions"));
  EnvSpec wide = images();
  wide.observation_shape = {kStack, 6, 6};
  PrioritizedReplay whole = filled({.capacity = 4});
  PrioritizedReplay other(wide, {.capacity = 4}, Stream(1, "replay"));
  EXPECT_THAT(restored(other, saved(whole)), HasSubstr("bytes, but this replay has"));
}

}  // namespace
}  // namespace fdg::rl
