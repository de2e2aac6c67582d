// KaryTree: a value per leaf, kept together by a fold (sum or maximum) over groups of 16 siblings.
//
// Every inner value is folded anew from its children, never corrected by a difference, so it does
// not drift. Values are float64. `find` turns a mass in [0, total) into a leaf: one that is filled
// and not 0, whatever rounding does. Not thread-safe. O(log16 n) for set and find; those of a batch
// go through the tree together, so that they wait for memory together. Memory is taken at
// construction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fdg::rl {

enum class Fold { sum, maximum };

class KaryTree {
 public:
  static constexpr int64_t kChildren = 16;

  /// All leaves are 0. leaves ≥ 1.
  KaryTree(int64_t leaves, Fold fold);

  /// value ≥ 0 and finite: callers refuse others before they get here.
  void set(int64_t leaf, double value) { set({&leaf, 1}, {&value, 1}); }
  /// As many leaves as values, in order: of a leaf that stands there twice the later value counts.
  void set(std::span<const int64_t> leaves, std::span<const double> values);
  double get(int64_t leaf) const { return levels_.front()[static_cast<size_t>(leaf)]; }
  /// Fold over all leaves.
  double total() const { return levels_.back().front(); }
  int64_t leaves() const { return leaves_; }

  /// Sum trees: the leaf where the running sum passes `mass`; a mass past the end gives the last
  /// leaf that is not 0. total() must be > 0.
  int64_t find(double mass) const;
  /// Of each mass its leaf.
  void find(std::span<const double> masses, std::span<int64_t> leaves) const;

  template <class A>
  void archive(A& a) {
    a(levels_);
  }

 private:
  /// Folds again what the leaves belong to in level l.
  void foldLevel(size_t l, std::span<const int64_t> leaves);

  int64_t leaves_;
  Fold fold_;
  std::vector<std::vector<double>>
      levels_;  // leaves first, the root last; whole groups of siblings
};

}  // namespace fdg::rl
