// Groups and ranks → how many replicas each group has and on which ranks its instances sit. Second
// step of place(). docs/policies.md, "Ranks", says the rules in words.
//
// Refuses more ranks than the policy can use. Cost: linear in ranks and replicas.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "base/Result.h"
#include "runtime/place/Cluster.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

struct Layout {
  int ranks = 1;
  std::vector<int64_t> replicas;     ///< Per group; 0 for a group without fragments.
  std::vector<std::vector<int>> on;  ///< Per group: its ranks, ascending.
  std::vector<std::string> notes;
};

Result<Layout> layOut(const Policy& policy, const std::vector<std::vector<int>>& owned,
                      const Cluster& cluster);

/// The instances of a layout: replicas on one rank fuse where policy and facts allow it.
std::vector<Instance> makeInstances(const Manifest& plan, const Policy& policy,
                                    const std::vector<std::vector<int>>& owned, Layout& layout);

}  // namespace fdg::place
