// Worker: one rank's part of a run. Opens its channels, runs its fragments, reports to rank 0.
//
// Every rank calls it with the same plan, placement and config. It returns when the rank's
// fragments have ended, or on an error after saying it (rank, fragment, iteration, cause) and
// ending all ranks (or only its own, where the others go on without it). One thread a rank; SIGINT
// and SIGTERM, noted by a SignalGuard, end the run after the log was written (130, 143).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/Manifest.h"
#include "fdg/fragment.h"
#include "runtime/host/CheckpointSetup.h"
#include "runtime/place/Placement.h"
#include "runtime/report/Report.h"
#include "runtime/transport/Transport.h"

namespace fdg::host {

struct WorkerSetup {
  const Manifest& manifest;
  const PlanCode& code;
  const place::Placement& placement;
  transport::Transport* transport = nullptr;
  /// Of ranks 1, 2, …, where they are threads of this process; see WorkerThreads.h.
  std::vector<transport::Transport*> others = {};
  const void* config = nullptr;  ///< Made by code.make_config, fields already set.
  uint64_t seed = 1;
  std::string folder;        ///< Where run.save writes; exists.
  int64_t verify = 0;        ///< Iterations to compare with the sequential run; 0: an ordinary run.
  double stuck_after = 300;  ///< Seconds without any progress until the run ends, naming who waits.
  report::Report* report = nullptr;  ///< On rank 0, else nullptr.
  const CheckpointSetup* checkpoint = nullptr;
  bool timeline = false;  ///< Fragments note what they do when, for the report.
  std::string timings;    ///< A file for what they did in their last iterations; empty: none.
  std::string outcome;    ///< A file for the exit code, see Ending.h; empty: none.
};

constexpr int kCallIsWrong = 2;

/// The exit code: 0 done (with verify: equal), 1 failed (or not equal), kCallIsWrong where the program
/// refuses its config, 130/143 interrupted.
int runWorker(const WorkerSetup& setup);

}  // namespace fdg::host
