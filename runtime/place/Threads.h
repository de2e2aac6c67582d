// in: threads → whether the ranks of a run are threads of one process. A step of place().
//
// All groups say it or none does: a run is either one process or one for each rank. Refuses, at the
// policy's line, a mixture, on_failure (threads do not die one by one), and a cluster of several
// nodes. Cost: one look at every group.
#pragma once

#include <string>

#include "runtime/place/Cluster.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

/// Any group says so.
bool inThreads(const Policy& policy);

/// A sentence for `ranks` ranks that cannot be threads; empty where none is asked to be.
std::string whyNotThreads(const Policy& policy, const Cluster& cluster, int ranks);

}  // namespace fdg::place
