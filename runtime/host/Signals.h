// The signals that end a run: SIGINT and SIGTERM are noted, for the run to end in good order, and a
// second one ends the process at once. While a SignalGuard lives.
#pragma once

#include <csignal>

namespace fdg::host {

class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  struct sigaction old_int_ = {};
  struct sigaction old_term_ = {};
};

/// The first SIGINT or SIGTERM since the guard was made; 0: none.
int caughtSignal();

}  // namespace fdg::host
