// A call of fdg-run → a finished run and its exit code: the corridor of the door.
//
//   options → manifest → policy → code and config → placement → run folder → run
//
// Everything a user can get wrong is found on the way, before anything starts, and said once. One
// rank runs in this process without MPI; more are started by mpirun as workers (MpiRun.h); under
// mpirun or srun already, this process is a worker itself and only rank 0 speaks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/host/Worker.h"

namespace fdg {

using RunWorker = std::function<int(const host::WorkerSetup&)>;

/// `arguments` without the program's name; `run_worker` is host::runWorkers, or a test's. Never
/// throws.
int launch(const std::vector<std::string>& arguments, const RunWorker& run_worker);

}  // namespace fdg
