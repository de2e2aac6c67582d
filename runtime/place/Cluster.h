// What there is to place on: ranks, their nodes, cores and GPUs. Filled from the machine and -n, or
// by hand.
#pragma once

#include <vector>

namespace fdg::place {

struct Node {
  int ranks = 1;
  int cores = 1;
  int gpus = 0;
};

struct Cluster {
  std::vector<Node> nodes = {Node{}};
  /// -n was given: the ranks are exactly these. Otherwise a placement takes as many as the policy
  /// wants.
  bool ranks_are_fixed = false;

  int ranks() const;
  int cores() const;
};

/// This machine, with `ranks` ranks (0: as many as the policy wants).
Cluster thisMachine(int ranks);

}  // namespace fdg::place
