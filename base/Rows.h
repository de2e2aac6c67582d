// Rows: the part of a leading dimension that one replica (or a fused run of replicas) owns.
//
// A total of n rows is cut into whole blocks; the blocks are dealt evenly in replica order, the
// remainder to the first replicas. A replica may own no rows. Pure functions; any thread.
#pragma once

#include <cstdint>

namespace fdg {

/// Rows `begin` to `end` (exclusive) out of `total`. In a sequential run: 0 to total.
struct Rows {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t total = 0;

  int64_t size() const { return end - begin; }
  bool operator==(const Rows&) const = default;
};

/// Replicas `first` to `last` (exclusive) out of `count`, which own one run of rows together.
struct ReplicaRange {
  int64_t first = 0;
  int64_t last = 1;
  int64_t count = 1;

  int64_t size() const { return last - first; }
  bool operator==(const ReplicaRange&) const = default;
};

/// The rows out of `total` that `replicas` own. Throws UserError if total < 0, block < 1 or block
/// does not divide total.
Rows cutRows(int64_t total, ReplicaRange replicas, int64_t block = 1);

}  // namespace fdg
