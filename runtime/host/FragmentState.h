// FragmentState: one fragment's part in checkpoints. At the head of an iteration it writes what the
// fragment carries, if that iteration was agreed on, or puts back what was saved. At a loop's first
// head it tries, without writing, whether all of that can be saved.
//
// Where all fragments go through the same iterations, every n-th is saved without a word between
// them. Elsewhere rank 0 asks everyone to hold (tell an iteration that it has not begun, and not
// begin it), takes the latest for each rate class, and tells it: `hold`, then `saveAt` or
// `release`. What it has written it waits for: the next n-th iteration is begun when rank 0 has
// said that the checkpoint before it is `over` (or 10 s have passed), so that there is one
// unfinished checkpoint at most.
// One thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "fdg/archive.h"
#include "fdg/port_backend.h"
#include "runtime/checkpoint/StateFile.h"
#include "runtime/host/CheckpointSetup.h"
#include "runtime/host/Record.h"
#include "runtime/host/Topology.h"

namespace fdg::host {

using checkpoint::Point;

class FragmentState final : public StateBackend {
 public:
  /// `ports` saves or restores what the fragment's boundaries remember.
  FragmentState(const CheckpointSetup* setup, const Manifest& manifest, const Endpoint& endpoint,
                bool in_step, Batch& batch, std::function<void(Archive&)> ports);

  /// At a head: this, to be called with every variable, or nullptr.
  StateBackend* at(Point head);
  /// Called with the point that was resumed at.
  void onRestored(std::function<void(Point)> f) { on_restored_ = std::move(f); }
  /// In a range-for: whether the iteration is one of those before the point to resume at.
  bool skips(int loop);
  /// What stands before the point that the run resumes at happened in the run before.
  bool isBefore(const Position& position) const;

  /// From now on nothing behind the returned point is begun. `begun`: the last head.
  Point hold(Point begun, int64_t slack);
  bool mayBegin(Point next) const;
  bool isHeld() const { return limit_.has_value() || !unfinished_.empty(); }
  void saveAt(const std::string& name, Point point);
  void release() { limit_.reset(); }
  /// The checkpoint is whole, or given up.
  void over(const std::string& name);

  // StateBackend
  bool saving() const override { return !restoring_; }
  value::Parts& item(const char* name) override;
  const Archive::Leaves& leaves() override { return leaves_; }
  void done() override;

 private:
  bool goesRoundSaved() const;
  bool isNth(Point head) const;
  void readItems();
  void writeItems();
  void archivePorts();
  bool isResumeAt(int loop) const { return resume_ != nullptr && resume_->point.loop == loop; }

  const CheckpointSetup* setup_;
  const Manifest& manifest_;
  const Endpoint& endpoint_;
  bool in_step_;
  Batch& batch_;
  std::function<void(Archive&)> ports_;
  std::function<void(Point)> on_restored_;
  const checkpoint::SavedFragment* resume_ = nullptr;  // until it is restored
  Point resumed_at_;
  int64_t skipped_ = 0;
  bool restoring_ = false;
  std::optional<Point> limit_;
  std::optional<std::pair<std::string, Point>> ordered_;
  std::string name_;        // of the checkpoint being written; empty: only tried
  std::string unfinished_;  // of the one that was written here, until it is over
  std::chrono::steady_clock::time_point written_;
  Point head_;
  checkpoint::Items items_;
  Archive::Leaves leaves_ = std::make_shared<std::set<const void*>>();
};

}  // namespace fdg::host
