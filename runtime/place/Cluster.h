// What there is to place on: ranks, their nodes, cores and GPUs, and what joins them. Filled from
// the machine and -n, or from a description (ClusterFile.h).
#pragma once

#include <vector>

namespace fdg::place {

struct Node {
  int ranks = 1;  ///< That are there, or, without -n, for which there is room.
  int cores = 1;
  int gpus = 0;
};

/// One way for messages, for estimates.
struct Wire {
  double latency = 0;    ///< Seconds from sending to receiving, of the smallest message.
  double bandwidth = 0;  ///< Bytes per second.
  bool is_asked = true;  ///< A rank that waits asks for messages now and then (MPI); none wakes it.
};

struct Cluster {
  std::vector<Node> nodes = {Node{}};
  /// -n was given: the ranks are exactly these. Otherwise a placement takes as many as the policy
  /// wants, and groups with `fill` what the room leaves.
  bool ranks_are_fixed = false;
  /// The node of every rank, where a launcher has dealt them out; empty: node after node.
  std::vector<int> node_of = {};
  Wire within = {5e-6, 4e9, false};  ///< Between ranks of one node.
  Wire between = {};                 ///< Between nodes.

  int ranks() const;
  int cores() const;
};

/// This machine, with `ranks` ranks (0: as many as the policy wants).
Cluster thisMachine(int ranks);

/// The ranks that a launcher started, all on machines like this one. `leaders`: for every rank, the
/// lowest rank of its node.
Cluster startedRanks(const std::vector<int>& leaders);

/// The first `ranks` ranks, filling node after node.
Cluster firstRanks(Cluster cluster, int ranks);

/// The node of each of so many ranks. What is more than the cluster has sits on its last node.
std::vector<int> nodesOfRanks(const Cluster& cluster, int ranks);

}  // namespace fdg::place
