// A placed call → the folders it writes into and one rank of it, run: what a rank is told, and on rank 0
// the report. Throws UserError if something cannot be written. One thread.
#pragma once

#include <string>
#include <vector>

#include "runtime/Call.h"
#include "runtime/FolderLock.h"
#include "runtime/Launch.h"
#include "runtime/place/Placement.h"
#include "runtime/transport/Transport.h"

namespace fdg {

/// Makes the run's folder, which is free for this run or that of the run that goes on, as is that of
/// the checkpoints. No other writes there as long as what comes back lives.
[[nodiscard]] std::vector<FolderLock> takeFolders(const Call& call, std::string& folder);

/// Of the terminal that standard error goes to; 0 if it goes elsewhere.
int terminalColumns();

/// The exit code. `others`: of further ranks in this process.
int runRank(const Call& call, const place::Placement& placement, transport::Transport& transport,
            const std::vector<transport::Transport*>& others, const std::string& folder,
            const RunWorker& run_worker);

}  // namespace fdg
