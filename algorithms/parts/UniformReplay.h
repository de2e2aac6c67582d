// UniformReplay: a ring of transitions from which every one is drawn with the same probability,
// with replacement (Lin 1992; Mnih et al. 2015).
//
// Sampling an empty replay throws UserError. Not thread-safe. 0.1 µs per row in or out, plus the
// copy.
#pragma once

#include "algorithms/parts/RowStore.h"

namespace fdg::rl {

class FDG_ROLE("buffer")
    FDG_APPROXIMATE("each replica samples from its own share of the transitions") UniformReplay {
 public:
  UniformReplay(const EnvSpec& spec, int64_t capacity, Stream stream);

  void add(const Transitions& transitions);
  int64_t size() const { return store_.size(); }
  /// One row of the batch for each of `rows`; row r is drawn from row r of the stream.
  Batch sample(Rows rows);

  template <class A>
  void archive(A& a) {
    Stream stream = stream_;
    a(stream, store_);  // the store refuses what does not fit, before anything is changed
    stream_ = std::move(stream);
  }

 private:
  RowStore store_;
  Stream stream_;
};

}  // namespace fdg::rl
