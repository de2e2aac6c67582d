// A crash of the program, or its exit() in the middle of a run → one sentence and an exit code, where
// the system would end the process without a word, or with 0.
//
// SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT are answered on a stack of their own, by nothing that
// allocates or locks. A debugger still sees the signal first. Processes that were forked end as
// without it.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>

namespace fdg {

/// While it lives, this process is at work; one at a time. Signal handlers before it come back behind
/// it.
class CrashGuard {
 public:
  enum class End {
    exits,       ///< With 1.
    dies,        ///< By SIGKILL: the other ranks outlive this one, and learn only of one so ended.
    dies_by_it,  ///< By the signal itself, for whoever started this rank to name; exit() by 1.
  };
  /// `who` begins each sentence, such as "fdg-run: the run failed".
  CrashGuard(const std::string& who, End end);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
};

/// A stack for this thread's signals: its own may be what is used up.
class CrashStack {
 public:
  CrashStack();
  ~CrashStack();
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;

 private:
  void* memory_ = nullptr;
  stack_t before_ = {};
};

/// What a thread is at work on, to be named if it crashes.
struct CrashPlace {
  std::string text;                     ///< "rank 1: fragment actor, replica 0"
  const int64_t* iterations = nullptr;  ///< That it has begun; named is the last, or 0.
};

/// While it lives, this thread is at work there. Costs two stores.
class AtWork {
 public:
  explicit AtWork(const CrashPlace& place);
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  const CrashPlace* before_;
};

/// Ends the process at once, as std::_Exit does, and by our own will: nothing is said.
[[noreturn]] void endProcess(int code);

}  // namespace fdg
