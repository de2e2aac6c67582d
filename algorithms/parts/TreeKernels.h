// The inner loops of KaryTreeOf: one level of many descents, and folding of groups.
//
// Running sums are taken so that they never fall and an element of 0 leaves them as they are,
// whatever rounding does: within four siblings one by one, from four to four one by one. Every
// instruction set does these operations in this order. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fdg::rl {

enum class Fold;

struct TreeKernels {
  /// Takes each descent from its group at[i] of `level` to the child where the running sum passes
  /// its mass, or to the last that is not 0, and takes what lies before that from the mass.
  /// `below` (or null) is the level where the children's own groups are: they are prefetched.
  void (*descend)(const double* level, const double* below, size_t count, double* mass,
                  int64_t* at);
  /// Folds these groups of `below` into `level`. Returns how many groups of `level` changed, which
  /// replace the first of `groups`: groups in order of coming, neighbours that are equal once.
  size_t (*fold)(Fold fold, const double* below, int64_t* groups, size_t count, double* level);
};

/// The best for this machine. kArity: 2, 4, 8, 16, 32 or 64.
template <int64_t kArity>
const TreeKernels& treeKernels();

template <int64_t kArity>
void prefetchGroup(const double* group) {
  constexpr int64_t kLine = 64 / sizeof(double);
  for (int64_t c = 0; c < kArity; c += kLine) {
    __builtin_prefetch(group + c);
  }
}

}  // namespace fdg::rl
