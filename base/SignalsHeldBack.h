// SignalsHeldBack: while it lives, the calling thread gets none of these signals, and threads that it
// makes never do: they belong to the thread that works.
#pragma once

#include <signal.h>

#include <initializer_list>

namespace fdg {

class SignalsHeldBack {
 public:
  /// All signals.
  SignalsHeldBack() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsHeldBack(std::initializer_list<int> signals) {
    sigset_t some;
    ::sigemptyset(&some);
    for (const int signal : signals) {
      ::sigaddset(&some, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &some, &before_);
  }
  ~SignalsHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_ = {};
};

}  // namespace fdg
