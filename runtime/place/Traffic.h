// Manifest and placement → how many messages one execution of each boundary sends. The host's
// counters equal it for ordered boundaries. Pure; any thread. Cost: producers × consumers per
// boundary.
#pragma once

#include <cstdint>
#include <vector>

#include "base/Manifest.h"
#include "runtime/place/Placement.h"

namespace fdg::place {

/// Between endpoints (a fragment in an instance) on one rank, on two ranks of a node, or on two
/// nodes.
struct Traffic {
  int64_t local = 0;
  int64_t shared = 0;
  int64_t remote = 0;
  int64_t total() const { return local + shared + remote; }
};

/// Per boundary. `node_of_rank` has an entry for every rank of the placement.
std::vector<Traffic> predictTraffic(const Manifest& plan, const Placement& placement,
                                    const std::vector<int>& node_of_rank);

}  // namespace fdg::place
