// The signals that end a run: SIGINT and SIGTERM are noted, for the run to end in good order, and a
// second one ends the process at once; SIGFPE becomes a sentence. While a SignalGuard lives.
#pragma once

#include <csignal>

namespace fdg::host {

class SignalGuard {
 public:
  /// `others_go_on`: the others outlive this rank, and learn only of one that a signal ended.
  explicit SignalGuard(bool others_go_on);
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  struct sigaction old_int_ = {};
  struct sigaction old_term_ = {};
  struct sigaction old_fpe_ = {};
};

/// The first SIGINT or SIGTERM since the guard was made; 0: none.
int caughtSignal();

}  // namespace fdg::host
