// PrioritizedRows: the prioritized replay (Schaul et al. 2016) over rows of plain bytes, without
// tensors. Programs use PrioritizedReplay, which is this with tensors.
//
// Priorities are kept raw, so that α applies to all alike. A new row gets the error it comes with,
// or the largest raw priority in the buffer. Draws are stratified: row i of a batch of B falls into
// the i-th of B equal parts of the mass. Importance weights (N · P)^−β are divided by the largest
// of the batch, by the largest possible in the buffer, or by nothing. An update for a row that has
// been overwritten is dropped and counted.
//
// Any thread may call anything at any time. Rows are copied in and out without a lock: their slots
// are taken first, at priority 0, so that they cannot be drawn before they are whole, and a slot
// that is still being copied out is waited for before it is overwritten. The trees are changed and
// searched under a lock; single priorities are read without one. O(log16 n) per row.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/parts/ReplayOptions.h"
#include "algorithms/parts/ReplayState.h"
#include "algorithms/parts/RowRecords.h"
#include "algorithms/parts/SlotRing.h"
#include "algorithms/parts/StackFields.h"
#include "algorithms/parts/SumTree.h"
#include "base/Rows.h"
#include "fdg/stream.h"

namespace fdg::rl {

struct Draws {  // row by row
  std::vector<int64_t> slots;
  std::vector<int64_t> generations;
  std::vector<float> weights;
};

class PrioritizedRows {
 public:
  /// Throws UserError for options out of range. Stacks must all have frames of one size.
  PrioritizedRows(std::vector<RowField> fields, const ReplayOptions& options, Stream stream);

  /// `fields`: of each field its `count` rows, one after another. `errors` may be empty: then the
  /// rows get the largest raw priority in the buffer, 1 while it is empty. `shared`: stacks are
  /// places in it. Throws UserError, and changes nothing, if an error is not finite or above 1e280,
  /// a place is not in the list or the rows are more than the capacity.
  void add(std::span<const std::byte* const> fields, int64_t count, std::span<const double> errors,
           const FrameList* shared = nullptr);
  /// One row of the batch for each of `rows`, row r from row r of the stream, copied to `fields`.
  /// Throws UserError if there is nothing to draw.
  Draws sample(Rows rows, std::span<std::byte* const> fields);
  /// New errors, signed or not, of rows drawn before. Throws UserError, and changes nothing, if an
  /// error is not finite or a slot was never written.
  void update(std::span<const int64_t> slots, std::span<const int64_t> generations,
              std::span<const double> errors);
  /// Removes up to `count` of the oldest rows; returns how many.
  int64_t removeOldest(int64_t count);
  int64_t size() const;
  /// Updates that came too late.
  int64_t dropped() const;
  double rawPriority(int64_t slot) const { return raw_.get(slot); }
  double mass() const;
  double beta() const;
  /// Bytes that it may come to use; those of frames only once they are.
  size_t memory() const;
  /// Different frames stored.
  int64_t frames() const { return stacks_ ? stacks_->store().size() : 0; }

  /// What ReplayState does not have: rows, and frames in use.
  SharedBytes rowBytes() const { return records_.bytes(); }
  SharedBytes frameBytes() const { return stacks_ ? stacks_->store().usedBytes() : SharedBytes(); }
  /// While nobody adds or removes rows, if it is to be that of rowBytes and frameBytes.
  ReplayState state();
  /// Goes on where these three were taken. While nobody else uses it. Throws UserError, and changes
  /// nothing, if they are damaged or of a replay with other options or fields.
  void restore(ReplayState state, std::span<const std::byte> rows,
               std::span<const std::byte> frames);

 private:
  struct Incoming {  // rows on their way in
    std::vector<const std::byte*> fields;
    int64_t count;
    std::span<const double> errors;
    const FrameList* shared;
  };

  std::vector<uint32_t> checkedHolders(const ReplayState& state, std::span<const std::byte> rows,
                                       std::span<const std::byte> frames) const;
  static void checkErrors(std::span<const double> errors);
  void setPriorities(std::span<const int64_t> slots, std::span<const double> raw);
  void clear(std::span<const int64_t> slots);
  void addPart(const Incoming& rows, std::optional<double>& highest);
  /// `rows` without its first ones.
  void skip(Incoming& rows, int64_t count) const;
  double highestRaw();
  double betaNow() const;
  std::vector<double> masses(Rows rows);
  Draws draw(Rows rows);
  std::vector<float> importance(std::span<const int64_t> slots);
  void claimFrames(int64_t frames);
  int64_t removeOldest(SlotRing::Lock& lock, int64_t count);
  void copyIn(SlotRange range, const Incoming& rows, int64_t claimed);

  std::vector<RowField> fields_;
  ReplayOptions options_;
  RowRecords records_;
  std::unique_ptr<StackFields> stacks_;  // null without stacks
  mutable std::mutex mutex_;             // of everything below
  KaryTree tree_;                        // raw^α
  KaryTree raw_;                         // the largest raw priority
  std::optional<KaryTree> least_;  // the largest raw^−α: the largest possible importance weight
  SlotRing ring_;
  Stream stream_;
  int64_t dropped_ = 0;
  int64_t samples_ = 0;
};

}  // namespace fdg::rl
