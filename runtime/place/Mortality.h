// on_failure: continue → which ranks may die while the run goes on. Last step of place().
//
// The others can do without a rank if all that it gives them is drained, a message at a time, and
// all that it takes from them is read newest only. Rank 0 keeps the log and the checkpoints: it
// changes places with the first rank that is needed anyway. Refuses, at the policy's line, a run of
// which every rank is needed, with the reason for each group. Cost: groups × boundaries.
#pragma once

#include <string>

#include "base/Manifest.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

/// Sets `may_die` and notes for whom; a sentence where it can be nobody.
std::string allowDeaths(const Manifest& plan, const Policy& policy, Placement& placement);

}  // namespace fdg::place
