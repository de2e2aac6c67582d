// place(plan, policy, cluster) → placement: which instance runs where and what each boundary
// becomes.
//
// A pure function without MPI or devices. An instance is a run of neighbouring replicas of one
// group that share a rank (fused), or one replica. Refuses, as a sentence with the policy's place,
// whatever the plan's facts or the cluster forbid. 10,000 ranks take well under a second.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "base/Result.h"
#include "base/Rows.h"
#include "runtime/place/Cluster.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

struct Instance {
  int id = 0;
  int group = 0;          ///< Index into the policy's groups.
  ReplicaRange replicas;  ///< Of its group.
  int rank = 0;
  std::string device = "cpu";
  std::vector<int> fragments;  ///< Ids, in the order of the manifest.
};

/// A boundary's behaviour after the policy's rules were applied; the index is the boundary's id.
struct BoundaryRule {
  Mode mode = Mode::ordered;
  int window = 2;
  int64_t pack = 0;    ///< Rows to collect before sending, 0: none.
  int64_t take = 0;    ///< Rows per drain block, 0: a message.
  int64_t ahead = 16;  ///< −1: any.
  int64_t behind = 16;
  int64_t max_staleness = 0;  ///< Versions behind the program's own; 0: no limit.
};

struct Placement {
  int ranks = 1;
  bool threads = false;  ///< The ranks are threads of one process.
  std::vector<Instance> instances;
  std::vector<BoundaryRule> boundaries;
  std::vector<int64_t> replicas;    ///< Per group.
  std::vector<std::string> groups;  ///< Names.
  int stop_group = -1;              ///< −1: all.
  /// Per rank, under on_failure: continue: the run goes on without it as long as its groups have
  /// another. Empty: under no policy but that one.
  std::vector<bool> may_die;
  std::vector<std::string> notes;  ///< What `auto` and `fill` chose, for the dry run.
};

/// What a rank is, for messages: "rank" or "thread".
inline const char* unitOf(const Placement& placement) {
  return placement.threads ? "thread" : "rank";
}

Result<Placement> place(const Manifest& plan, const Policy& policy, const Cluster& cluster);

/// The same instances, all on one rank: the in-process twin that --verify compares with.
Placement collapse(Placement placement);

}  // namespace fdg::place
