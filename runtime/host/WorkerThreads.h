// The ranks of this process → their common exit code: one, or several as threads.
//
// Rank 0 (or the only one) runs on the caller's thread, which alone gets signals; each other rank
// on one that is made here. A rank that fails ends the process, as soon as it has said why.
#pragma once

#include "runtime/host/Worker.h"

namespace fdg::host {

/// `setup` is rank 0's, `setup.others` the transports of the others. Exit codes as of runWorker.
int runWorkers(const WorkerSetup& setup);

}  // namespace fdg::host
