// RowStore: a ring of transitions, one slot each, in memory taken at construction.
//
// Full, it overwrites the oldest slot. Each slot counts how often it was written (its generation),
// so that news about an overwritten transition can be told from news about the present one. Rows
// are copied in and out; the store never hands out its memory. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/parts/TransitionFields.h"

namespace fdg::rl {

class RowStore {
 public:
  /// Throws UserError if capacity < 1.
  RowStore(const EnvSpec& spec, int64_t capacity);

  /// Writes all rows; returns the slot of the first one, the others follow (modulo capacity).
  /// Throws UserError if the rows do not fit the environment, or are more than the capacity.
  int64_t add(const Transitions& transitions);
  /// The rows in these slots, in this order.
  Transitions gather(const std::vector<int64_t>& slots) const;

  int64_t size() const { return size_; }
  int64_t capacity() const { return static_cast<int64_t>(generations_.size()); }
  int64_t generation(int64_t slot) const { return generations_[static_cast<size_t>(slot)]; }

  template <class A>
  void archive(A& a) {
    torch::Tensor rows = a.saving() ? tensorOf(records_.bytes()) : torch::Tensor();
    std::vector<int64_t> generations = generations_;
    int64_t next = next_, size = size_;
    uint64_t end = kSavedEnd;
    a(rows, generations, next, size, end);
    if (!a.saving()) {
      checkSaved(end == kSavedEnd, "length");
      restore(bytesOf(rows), std::move(generations), next, size);
    }
  }

 private:
  /// Throws UserError, and changes nothing, if they are damaged or of another store.
  void restore(std::span<const std::byte> rows, std::vector<int64_t> generations, int64_t next,
               int64_t size);

  EnvSpec spec_;
  std::vector<int64_t> generations_;
  RowRecords records_;
  int64_t next_ = 0;
  int64_t size_ = 0;
};

}  // namespace fdg::rl
