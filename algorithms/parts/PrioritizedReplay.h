// PrioritizedReplay: transitions drawn in proportion to (|error| + ε)^α (Schaul et al. 2016).
//
// PrioritizedRows says how, tensors are what it adds. Refuses errors that are NaN or infinite,
// naming the row; nothing is changed then. Several threads may use one replay at the same time; one
// alone gets the same results whenever it runs. O(log16 n) per row.
#pragma once

#include "algorithms/parts/FrameMessages.h"
#include "algorithms/parts/TransitionFields.h"

namespace fdg::rl {

class FDG_ROLE("buffer") FDG_APPROXIMATE(
    "each replica samples from its own share of the transitions") PrioritizedReplay {
 public:
  static constexpr bool thread_safe = true;

  /// Throws UserError for options out of range.
  PrioritizedReplay(const EnvSpec& spec, const ReplayOptions& options, Stream stream);

  void add(const Experience& experience);
  /// With the largest raw priority in the buffer, 1 while it is empty.
  void add(const Transitions& transitions);
  /// For ReplayOptions::frames: each frame of a message is looked at once.
  void add(const FrameMessage& message);
  void add(const std::vector<FrameMessage>& messages);
  int64_t size() const { return rows_->size(); }
  /// One row of the batch for each of `rows`; row r is drawn from row r of the stream.
  Batch sample(Rows rows);
  void update(const Priorities& priorities);
  /// Removes up to `count` of the oldest transitions; returns how many.
  int64_t removeOldest(int64_t count) { return rows_->removeOldest(count); }

  /// Updates that came too late.
  int64_t dropped() const { return rows_->dropped(); }
  double rawPriority(int64_t slot) const { return rows_->rawPriority(slot); }
  double mass() const { return rows_->mass(); }
  double beta() const { return rows_->beta(); }
  /// Bytes that it may come to use.
  size_t memory() const { return rows_->memory(); }
  /// Different frames stored.
  int64_t frames() const { return rows_->frames(); }

  /// Restoring throws UserError, and changes nothing, if what was saved is damaged or of a replay
  /// with other options or rows of another size.
  template <class A>
  void archive(A& a) {
    ReplayState state;
    torch::Tensor rows, frames;
    if (a.saving()) {
      state = rows_->state();
      rows = tensorOf(rows_->rowBytes());
      frames = tensorOf(rows_->frameBytes());
    }
    a(state, rows, frames);
    if (!a.saving()) {
      rows_->restore(std::move(state), bytesOf(rows), bytesOf(frames));
    }
  }

 private:
  EnvSpec spec_;
  std::unique_ptr<PrioritizedRows> rows_;
};

}  // namespace fdg::rl
