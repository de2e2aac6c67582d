// SlotRing: which of a ring's slots are free, being written, whole; how often each was written (its
// generation); who is still reading which.
//
// Slots are given out in order; when all are taken the oldest are given out again. The owner holds
// the lock around every call; those that take it by reference let go of it while they wait: for
// slots that another thread is still writing, or still reading though they are to be overwritten.
// Nobody waits for a slot that has no reader or writer, so one thread alone never waits.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "algorithms/parts/ReplayState.h"

namespace fdg::rl {

/// Slots first … first + count - 1, modulo the capacity.
struct SlotRange {
  int64_t first = 0;
  int64_t count = 0;
};

class SlotRing {
 public:
  using Lock = std::unique_lock<std::mutex>;

  explicit SlotRing(int64_t capacity);

  /// Waits until the next `count` slots have no writer. count ≤ capacity.
  void waitForNext(Lock& lock, int64_t count);
  /// The next `count` slots, for the caller to write.
  SlotRange take(int64_t count);
  /// Up to `count` of the oldest slots that are whole, for the caller to clear.
  SlotRange takeOldest(int64_t count);
  /// Waits until nobody reads slots of the range that were drawn before it was taken.
  void waitForReaders(Lock& lock, SlotRange range);
  /// The caller is done: the slots are whole now, or free.
  void finish(SlotRange range, bool whole);
  /// Waits until nobody writes.
  void waitForWriters(Lock& lock);

  /// From here to endReading these slots are not given to a writer. `slots` must stay where it is.
  void beginReading(std::span<const int64_t> slots) { readers_.push_back(slots); }
  void endReading(std::span<const int64_t> slots);

  int64_t capacity() const { return static_cast<int64_t>(generations_.size()); }
  /// Slots that are whole.
  int64_t size() const { return whole_; }
  bool someoneWrites() const { return !writers_.empty(); }
  /// 0: never written; above: whole; below: being written, or cleared.
  int64_t generation(int64_t slot) const { return generations_[static_cast<size_t>(slot)]; }
  void prefetch(int64_t slot) const {
    __builtin_prefetch(&generations_[static_cast<size_t>(slot)]);
  }
  /// The slots of a range, one by one.
  std::vector<int64_t> slotsOf(SlotRange range) const;

  /// While nobody writes.
  RingState state() const { return {generations_, oldest_, taken_}; }
  /// Throws UserError if that is not the state of a ring of this size.
  void check(const RingState& state) const;
  /// What has been checked, while nobody writes or reads.
  void restore(RingState state);

 private:
  /// `count` slots on, going round; count ≤ capacity. (A remainder would cost a division a slot.)
  int64_t after(int64_t slot, int64_t count) const {
    const int64_t sum = slot + count;
    return sum < capacity() ? sum : sum - capacity();
  }
  /// How far `slot` lies behind `from`, going round.
  int64_t distance(int64_t from, int64_t slot) const {
    return slot >= from ? slot - from : slot - from + capacity();
  }
  bool overlap(SlotRange a, SlotRange b) const;

  std::vector<int64_t> generations_;
  int64_t oldest_ = 0;
  int64_t taken_ = 0;  // from the oldest on, those being written included
  int64_t whole_ = 0;
  std::vector<SlotRange> writers_;
  std::vector<std::span<const int64_t>> readers_;
  std::condition_variable changed_;
};

}  // namespace fdg::rl
