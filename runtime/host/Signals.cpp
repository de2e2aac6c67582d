#include "runtime/host/Signals.h"

#include "core/Crash.h"

namespace fdg::host {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

void onSignal(int signal) {
  if (caught_signal != 0) {
    endProcess(128 + signal);  // asked twice: at once
  }
  caught_signal = signal;
}

}  // namespace

SignalGuard::SignalGuard() {
  caught_signal = 0;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

SignalGuard::~SignalGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

int caughtSignal() { return caught_signal; }

}  // namespace fdg::host
