// The options of a placed call → its ranks under mpirun, and the exit code of the run.
#pragma once

#include <string>

#include "runtime/Options.h"
#include "runtime/place/Placement.h"

namespace fdg {

/// Throws UserError for more ranks than this machine can sensibly run, unless --oversubscribe says
/// so.
void refuseCrowd(const Options& options, const place::Placement& placement, int cores);
/// Throws UserError for what only processes can have, under a policy with in: threads.
void refuseForThreads(const Options& options, const place::Policy& policy);
/// `options.ranks` workers of `executable`. `tolerant`: on_failure: continue.
int startRanks(const Options& options, const std::string& executable, bool tolerant);
/// on_failure: restart: all ranks again, with the same placement, from the last checkpoint, until
/// several starts in a row have got no further.
int startAgainAndAgain(Options options, const std::string& executable);

}  // namespace fdg
