// FrameMessages: experience whose observations are stacks of frames → messages in which each frame
// stands once, for the way from an actor to its replay.
//
// Neighbouring transitions of one environment share all frames but one: 50 three-step transitions
// with two stacks of 4 × 84 × 84 bytes come to 7.9 KB each instead of 56. Frames are known again by
// their bytes, so rows may come from several environments and episodes; the more environments in a
// message, the fewer neighbours. Not thread-safe. About 3 µs for such a transition.
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

  /// Keeps the experience; the message that it completes, if it does.
  std::vector<FrameMessage> push(const Experience& experience);

  template <class A>
  void archive(A& a) {
    a(waiting_, waiting_rows_);
  }

 private:
  int64_t rows_;
  std::vector<Experience> waiting_;
  int64_t waiting_rows_ = 0;
};

}  // namespace fdg::rl
