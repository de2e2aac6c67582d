#include "runtime/host/Signals.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace fdg::host {
namespace {

volatile std::sig_atomic_t caught_signal = 0;
volatile std::sig_atomic_t dies_by_signal = 0;

void onSignal(int signal) {
  if (caught_signal != 0) {
    std::_Exit(128 + signal);  // asked twice: at once
  }
  caught_signal = signal;
}

/// An integer division by zero in the program, most often by a config value: a sentence instead of
/// silence.
void onDivisionByZero(int /*signal*/) {
  constexpr std::string_view kText =
      "fdg-run: the run failed: the program divides an integer by zero; look for a period or a "
      "size that "
      "is 0 in its config (--explain lists the fields)\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  if (dies_by_signal != 0) {
    ::raise(SIGKILL);
  }
  std::_Exit(1);
}

}  // namespace

SignalGuard::SignalGuard(bool others_go_on) {
  caught_signal = 0;
  dies_by_signal = others_go_on ? 1 : 0;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
  action.sa_handler = onDivisionByZero;
  sigaction(SIGFPE, &action, &old_fpe_);
}

SignalGuard::~SignalGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
  sigaction(SIGFPE, &old_fpe_, nullptr);
}

int caughtSignal() { return caught_signal; }

}  // namespace fdg::host
