// KaryTreeOf<K>: a value per leaf, kept together by a fold (sum or maximum) over groups of K
// siblings. Programs use K = 16; the benchmark compares 2 to 64.
//
// Every inner value is folded anew from its children, never corrected by a difference, so it does
// not drift. Values are float64. `find` turns a mass in [0, total) into a leaf: one that is filled
// and not 0, whatever rounding does. The bits are the same on every machine: AVX-512, AVX2 and the
// portable form do the same operations. O(log n) for set and find; those of a batch go through the
// tree together, so that they wait for memory together. Memory is taken at construction.
//
// One thread at a time may call set, find and total; get may run beside them and sees the value
// before or after.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/parts/PageAllocator.h"

namespace fdg::rl {

enum class Fold { sum, maximum };

template <int64_t kArity>
class KaryTreeOf {
 public:
  static constexpr int64_t kChildren = kArity;

  /// All leaves are 0. leaves ≥ 1.
  KaryTreeOf(int64_t leaves, Fold fold);

  /// value ≥ 0 and finite: callers refuse others before they get here.
  void set(int64_t leaf, double value) { set({&leaf, 1}, {&value, 1}); }
  /// As many leaves as values, in order: of a leaf that stands there twice the later value counts.
  void set(std::span<const int64_t> leaves, std::span<const double> values);
  /// Like set, but what follows for `total` waits until `settle`: cheap where it is seldom asked.
  void setLater(std::span<const int64_t> leaves, std::span<const double> values);
  void settle();
  double get(int64_t leaf) const {
    // atomic_ref wants a reference that could be written.
    auto& value = const_cast<double&>(levels_.front()[static_cast<size_t>(leaf)]);
    return std::atomic_ref<double>(value).load(std::memory_order_relaxed);
  }
  /// Fold over all leaves; nothing may be unsettled.
  double total() const { return levels_.back().front(); }
  int64_t leaves() const { return leaves_; }
  /// Ahead of a set of that leaf.
  void prefetch(int64_t leaf) const;
  /// Ahead of a setLater of that leaf.
  void prefetchLater(int64_t leaf) const {
    __builtin_prefetch(&levels_.front()[static_cast<size_t>(leaf)], /*rw=*/1);
  }

  /// Sum trees: the leaf where the running sum passes `mass`; a mass past the end gives the last
  /// leaf that is not 0. total() must be > 0.
  int64_t find(double mass) const;
  /// Of each mass its leaf.
  void find(std::span<const double> masses, std::span<int64_t> leaves) const;

 private:
  void write(std::span<const int64_t> leaves, std::span<const double> values);
  /// Folds again all that lies above these groups of leaves, which it uses up.
  void foldAbove(std::vector<int64_t>& groups);
  /// Folds again what these groups of level l - 1 amount to in level l; keeps the groups of level l
  /// that one of them changed.
  void foldLevel(size_t l, std::vector<int64_t>& groups);

  int64_t leaves_;
  Fold fold_;
  // Leaves first, the root last; whole groups of siblings.
  std::vector<PagedVector<double>> levels_;
  std::vector<int64_t> unsettled_;  // groups of leaves
};

using KaryTree = KaryTreeOf<16>;

}  // namespace fdg::rl
