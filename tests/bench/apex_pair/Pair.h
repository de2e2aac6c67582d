// The two ends of the Ape-X pair: a feeder that makes transitions of images without an environment,
// and a learner that asks for batches without learning. What arrives is checked.
#pragma once

#include <cstring>
#include <vector>

#include "base/Check.h"
#include "fdg/fdg.h"
#include "fdg/rl.h"

namespace pair {

constexpr int64_t kStack = 4, kSide = 84, kFrame = kSide * kSide, kAhead = 3;  // three-step

inline rl::EnvSpec spec() {
  return {.name = "pair",
          .observation_shape = {kStack, kSide, kSide},
          .actions = 6,
          .observation_type = torch::kUInt8};
}

/// A frame of its own for each environment and time; `id` names both.
inline void paint(uint8_t* frame, int64_t id) {
  std::memset(frame, static_cast<int>(id % 251), kFrame);
  std::memcpy(frame, &id, sizeof id);
}
inline bool isPainted(const uint8_t* frame, int64_t id) {
  return std::memcmp(frame, &id, sizeof id) == 0 && frame[kFrame - 1] == id % 251;
}

/// One environment a row, each of which gives a message at a time. A transition's action is the id
/// of the last frame of its observation.
class FDG_ROLE("actor") Feeder {
 public:
  Feeder(fdg::Rows rows, int64_t message) : rows_(rows), message_(message) {}

  std::vector<rl::FrameMessage> next() {
    std::vector<rl::FrameMessage> messages;
    for (int64_t row = rows_.begin; row < rows_.end; ++row) {
      messages.push_back(message(row << 40 | time_));
    }
    time_ += message_;
    return messages;
  }

 private:
  rl::FrameMessage message(int64_t first) const {
    const int64_t frames = message_ + kStack - 1 + kAhead;
    auto pixels = torch::empty({frames, kSide, kSide}, torch::kUInt8);
    for (int64_t f = 0; f < frames; ++f) {
      paint(pixels.data_ptr<uint8_t>() + f * kFrame, first + f);
    }
    const auto places =
        torch::arange(message_, torch::kInt32).unsqueeze(1) + torch::arange(kStack, torch::kInt32);
    const auto times = torch::arange(message_) + first + kStack - 1;
    return {.frames = pixels,
            .observation = places,
            .action = times,
            .reward = torch::remainder(times, 1000).to(torch::kFloat32),
            .next_observation = places + static_cast<int32_t>(kAhead),
            .discount = torch::full({message_}, 0.97F),
            .error = torch::ones({message_})};
  }

  fdg::Rows rows_;
  int64_t message_;
  int64_t time_ = 0;
};

/// The replay, and how many transitions it has taken.
class FDG_ROLE("buffer") Intake {
 public:
  Intake(const rl::ReplayOptions& options, fdg::Stream stream)
      : replay_(spec(), options, std::move(stream)) {}

  void add(const std::vector<rl::FrameMessage>& messages) {
    replay_.add(messages);
    for (const rl::FrameMessage& message : messages) {
      accepted_ += message.reward.size(0);
    }
  }
  int64_t size() const { return replay_.size(); }
  rl::Batch sample(fdg::Rows rows) { return replay_.sample(rows); }
  void update(const rl::Priorities& priorities) { replay_.update(priorities); }
  int64_t accepted() const { return accepted_; }

 private:
  rl::PrioritizedReplay replay_;
  int64_t accepted_ = 0;
};

class FDG_ROLE("learner") Greedy {
 public:
  /// Priorities at once; looks at every 32nd row.
  rl::Priorities look(const rl::Batch& batch) {
    const auto* before = batch.transitions.observation.data_ptr<uint8_t>();
    const auto* after = batch.transitions.next_observation.data_ptr<uint8_t>();
    const auto* action = batch.transitions.action.data_ptr<int64_t>();
    for (int64_t r = batches_ % 32; r < batch.weight.size(0); r += 32) {
      for (int64_t k = 0; k < kStack; ++k) {
        const int64_t at = (r * kStack + k) * kFrame;
        FDG_CHECK(isPainted(before + at, action[r] - (kStack - 1) + k), "observation");
        FDG_CHECK(isPainted(after + at, action[r] - (kStack - 1) + kAhead + k), "next observation");
      }
    }
    ++batches_;
    return {batch.index, batch.generation, batch.transitions.reward.remainder(7) + 0.1};
  }
  int64_t batches() const { return batches_; }

 private:
  int64_t batches_ = 0;
};

}  // namespace pair
