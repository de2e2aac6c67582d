// PrioritizedReplay: transitions drawn in proportion to (|error| + ε)^α (Schaul et al. 2016).
//
// Priorities are kept raw, so that α applies to all alike. A new transition gets the error it
// comes with, or the largest raw priority in the buffer. Draws are stratified: row i of a batch of
// B falls into the i-th of B equal parts of the mass. Importance weights (N · P)^−β are divided by
// the largest of the batch, by the largest possible in the buffer, or by nothing. Refuses errors
// that are NaN or infinite, naming the row; nothing is changed then. An update for a slot that has
// been overwritten is dropped and counted. Not thread-safe. O(log16 n) per row.
#pragma once

#include <string>

#include "algorithms/parts/RowStore.h"
#include "algorithms/parts/SumTree.h"

namespace fdg::rl {

struct ReplayOptions {
  int64_t capacity = 100'000;       ///< Transitions kept; the oldest is overwritten.
  double alpha = 0.6;               ///< 0: uniform, 1: in proportion to the error.
  double beta = 0.4;                ///< Importance-sampling correction at the start.
  int64_t beta_steps = 0;           ///< Samples until β has grown to 1; 0: stays.
  double epsilon = 1e-6;            ///< Added to every error, so that none is never drawn again.
  std::string normalise = "batch";  ///< Importance weights: batch, buffer or none.
};

class FDG_ROLE("buffer") FDG_APPROXIMATE(
    "each replica samples from its own share of the transitions") PrioritizedReplay {
 public:
  /// Throws UserError for options out of range.
  PrioritizedReplay(const EnvSpec& spec, const ReplayOptions& options, Stream stream);

  void add(const Experience& experience);
  /// With the largest raw priority in the buffer, 1 while it is empty.
  void add(const Transitions& transitions);
  int64_t size() const { return store_.size(); }
  Batch sample(Rows rows);
  void update(const Priorities& priorities);

  /// Updates that came too late.
  int64_t dropped() const { return dropped_; }
  double rawPriority(int64_t slot) const { return raw_.get(slot); }
  double mass() const { return tree_.total(); }
  double beta() const;

  template <class A>
  void archive(A& a) {
    a(store_, tree_, raw_, least_, stream_, dropped_, samples_);
  }

 private:
  /// Stores the rows; returns their slots.
  std::vector<int64_t> store(const Transitions& transitions);
  void setPriorities(const std::vector<int64_t>& slots, const std::vector<double>& raw);
  std::vector<float> importance(const std::vector<int64_t>& slots) const;

  ReplayOptions options_;
  RowStore store_;
  KaryTree tree_;   // raw^α
  KaryTree raw_;    // the largest raw priority
  KaryTree least_;  // the largest raw^−α: the largest possible importance weight
  Stream stream_;
  int64_t dropped_ = 0;
  int64_t samples_ = 0;
};

}  // namespace fdg::rl
