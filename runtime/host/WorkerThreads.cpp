#include "runtime/host/WorkerThreads.h"

#include <csignal>
#include <iostream>
#include <system_error>
#include <thread>

#include "runtime/host/Ending.h"
#include "runtime/host/Signals.h"

namespace fdg::host {
namespace {

/// While it lives, threads that are made get neither SIGINT nor SIGTERM.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_ = {};
};

void startOthers(const WorkerSetup& setup, std::vector<std::thread>& threads) {
  const SignalsHeldBack guard;
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

}  // namespace

int runWorkers(const WorkerSetup& setup) {
  const SignalGuard signals(outlivesRanks(setup));
  std::vector<std::thread> threads;
  startOthers(setup, threads);
  const int code = runWorker(setup);
  for (std::thread& thread : threads) {
    thread.join();
  }
  return code;
}

}  // namespace fdg::host
