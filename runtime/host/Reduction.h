// The terms of a boundary's replicas → their reduction.
//
// Two ways, with the same bits: reduceTerms joins terms that are here. A Reduction joins terms
// whose tensors stay with their replicas, which share memory: messages bring what else is in them
// and how the tensors are laid out, and a fold makes the reduced tensors. Either throws UserError
// where terms cannot be reduced or are not finite, on all replicas alike. One thread.
#pragma once

#include <memory>
#include <vector>

#include "runtime/host/FlatTerm.h"
#include "runtime/host/Topology.h"
#include "runtime/transport/Transport.h"

namespace fdg::host {

/// The terms of all replicas in their order, with the rows that each came from.
struct Terms {
  std::vector<Box> boxes;
  std::vector<int64_t> rows;
};

Box reduceTerms(const BoundaryInfo& info, const Terms& terms);

/// Null where this endpoint does not exchange terms with the other replicas through shared memory.
std::shared_ptr<transport::Folding> openFolding(const BoundaryInfo& info,
                                                const BoundaryTopology& topology,
                                                const Endpoint& self,
                                                transport::Transport& transport);

class Reduction {
 public:
  /// `term` is this replica's, of number `self`.
  Reduction(std::shared_ptr<transport::Folding> folding, size_t self, value::Parts term);

  /// All others have begun as well: their terms but for the tensors, and how these are laid out.
  void join(const BoundaryInfo& info, const Terms& terms, const std::vector<Layout>& layouts);
  bool isJoined() const { return rest_.hasValue(); }
  /// What the own message says in place of the tensors.
  const value::Parts& layout() const { return layout_; }
  /// Once joined. True: `out` is the result. Throws Closed if it can never be.
  bool tryFinish(Box& out);

 private:
  std::shared_ptr<transport::Folding> folding_;
  std::shared_ptr<FlatTerm> term_;
  value::Parts layout_;
  Box rest_;  // reduced, but for the tensors
};

}  // namespace fdg::host
