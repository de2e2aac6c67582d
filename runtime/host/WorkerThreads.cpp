#include "runtime/host/WorkerThreads.h"

#include <csignal>
#include <iostream>
#include <system_error>
#include <thread>

#include "base/SignalsHeldBack.h"
#include "core/Crash.h"
#include "runtime/host/Ending.h"
#include "runtime/host/Signals.h"

namespace fdg::host {
namespace {

void startOthers(const WorkerSetup& setup, std::vector<std::thread>& threads) {
  const SignalsHeldBack held_back = {SIGINT, SIGTERM};
  try {
    for (transport::Transport* transport : setup.others) {
      WorkerSetup own = setup;
      own.transport = transport;
      own.others.clear();
      own.report = nullptr;
      threads.emplace_back([own] { runWorker(own); });
    }
  } catch (const std::system_error& error) {
    // Those that were started wait for the rest.
    std::cerr << "fdg-run: cannot start thread " << threads.size() + 1 << " of "
              << setup.others.size() + 1 << ": " << error.what() << "; use fewer with -n\n"
              << std::flush;
    setup.transport->abort(1);
  }
}

/// A rank of several is named by whoever started it, mpirun or another rank.
CrashGuard::End endOfCrashes(const WorkerSetup& setup) {
  if (outlivesRanks(setup)) {
    return CrashGuard::End::dies;
  }
  const bool is_one_of_several = setup.transport->size() > 1 && setup.others.empty();
  return is_one_of_several ? CrashGuard::End::dies_by_it : CrashGuard::End::exits;
}

}  // namespace

int runWorkers(const WorkerSetup& setup) {
  const SignalGuard signals;
  const CrashGuard crashes("fdg-run: the run failed", endOfCrashes(setup));
  std::vector<std::thread> threads;
  startOthers(setup, threads);
  const int code = runWorker(setup);
  for (std::thread& thread : threads) {
    thread.join();
  }
  return code;
}

}  // namespace fdg::host
