// FrameMessages: experience whose observations are stacks of frames → messages in which each frame
// stands once, for the way from an actor to its replay.
//
//   const auto experience = nstep.push(obs, action, outcome, actor.values(outcome));
//   auto messages = frames.push(experience, nstep.counts());
//   fdg::partition(fdg::append.loose(), messages);
//   replay.add(messages);
//
// Neighbouring transitions of an environment share all frames but one: 50 three-step transitions
// with two stacks of 4 × 84 × 84 bytes come to 7.9 KB each instead of 56. So a message is of one
// environment, and shares of replicas, one after the other, are the whole. Until it is complete its
// stacks are kept whole: 2.8 MB an environment. Not thread-safe. About 3 µs for such a transition.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/parts/Transitions.h"

namespace fdg::rl {

/// Experience with its frames apart. In a vector of messages a row is a message.
struct FrameMessage {
  torch::Tensor frames;            ///< [frames, height, width], each different.
  torch::Tensor observation;       ///< [rows, stack] int32: places in `frames`.
  torch::Tensor action;            ///< As in Transitions, like what follows.
  torch::Tensor reward;            ///< [rows]
  torch::Tensor next_observation;  ///< [rows, stack] int32: places in `frames`.
  torch::Tensor discount;          ///< [rows]
  torch::Tensor error;             ///< [rows] float32: as in Experience.
};

/// The frames of these rows, each once. Throws UserError where observations are no stacks.
FrameMessage shareFrames(const Experience& experience);

class FDG_ROLE("actor") FrameMessages {
 public:
  /// A message has at least so many rows; throws UserError for less than 1.
  explicit FrameMessages(int64_t rows);

  /// `counts`: how many of the transitions each environment gave, one environment's after the
  /// other's. The messages that they complete. Throws UserError for counts that are not theirs.
  std::vector<FrameMessage> push(const Experience& experience, const std::vector<int64_t>& counts);

  template <class A>
  void archive(A& a) {
    a(waiting_);
  }

 private:
  int64_t rows_;
  std::vector<std::vector<Experience>> waiting_;  // by environment
};

}  // namespace fdg::rl
