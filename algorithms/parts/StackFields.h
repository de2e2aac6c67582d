// StackFields: the fields of a row that are stacks of frames ↔ the numbers of their frames, which
// are what the row's record has.
//
// Each different frame is stored once, in a FrameStore of its own. Whoever writes rows claims room
// for their frames first, so that storing them cannot fail. Rows come with whole stacks, or with a
// list of frames and the places of each stack's frames in it. Different rows may be written and
// read at the same time. About 1 µs for a frame of 84 × 84 bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/parts/FrameStore.h"
#include "algorithms/parts/ReplayOptions.h"
#include "algorithms/parts/RowRecords.h"
#include "algorithms/parts/SlotRing.h"

namespace fdg::rl {

struct RowField {
  size_t bytes = 0;    ///< Of one row.
  int64_t frames = 0;  ///< Above 0: a stack of so many frames, each stored once.
};

/// Frames one after another. Stacks of rows that come with it are int32 places in it, from 0 on.
struct FrameList {
  const std::byte* frames = nullptr;
  int64_t count = 0;
};

class StackFields {
 public:
  /// Rows whose frames are claimed together.
  static constexpr int64_t kRowsAtOnce = 64;

  /// Bytes that a record has of each field.
  static std::vector<size_t> recordSizes(std::span<const RowField> fields);
  /// Null where no field is a stack. Throws UserError if frames are not of one size, or too many.
  static std::unique_ptr<StackFields> of(std::span<const RowField> fields,
                                         const ReplayOptions& options);

  FrameStore& store() { return store_; }
  const FrameStore& store() const { return store_; }
  /// Rows that may be added together.
  int64_t mostRows() const { return std::min(kRowsAtOnce, store_.capacity() / each_); }
  /// Frames that so many rows need at most.
  int64_t mostFrames(int64_t rows, const FrameList* shared) const {
    return shared != nullptr ? std::min(rows * each_, shared->count) : rows * each_;
  }
  /// Throws UserError if a stack of these rows names a place that the list does not have.
  void checkPlaces(std::span<const std::byte* const> fields, int64_t count,
                   const FrameList& shared) const;

  /// Stores what frames the rows have and writes their numbers into the records of `range`. Uses up
  /// what was claimed, and gives back what is left. shared: null for whole stacks.
  void put(RowRecords& records, SlotRange range, std::span<const std::byte* const> fields,
           const FrameList* shared, int64_t claimed);
  /// The rows hold no frames any more.
  void release(RowRecords& records, std::span<const int64_t> slots);
  /// How often saved records of the same layout hold each number. Throws UserError if a slot holds
  /// none though its generation says that it is whole, or the other way round, or one that the store
  /// cannot have.
  std::vector<uint32_t> holdersIn(const RowRecords& layout, std::span<const std::byte> records,
                                  std::span<const int64_t> generations) const;
  /// Whole rows.
  void gather(const RowRecords& records, std::span<const int64_t> slots,
              std::span<std::byte* const> fields) const;

 private:
  using Number = FrameStore::Number;

  StackFields(std::span<const RowField> fields, size_t frame_bytes, int64_t frames);
  /// The number of the frame at a place; known: those of the places that came before.
  Number numberAt(int32_t place, const FrameList& shared, std::vector<Number>& known,
                  std::vector<Number>& again, int64_t& claimed);

  std::vector<RowField> fields_;
  int64_t each_ = 0;  // frames of a row, all stacks together
  FrameStore store_;
};

}  // namespace fdg::rl
