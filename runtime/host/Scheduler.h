// Scheduler: runs the fragments of one rank on one thread, each until it has to wait.
//
// Returns when all have ended. When none can go on it sleeps in the transport; drain blocks run
// during any wait, and one that waits for long says how far it has come (FragmentHost::speak): at
// once if all of a process wait, else after some time. Throws FragmentError with the fragment's name
// and iteration for what a fragment throws (a ConfigError as it is), and for a run in which nothing
// has moved for `stuck_after` seconds (at once if no other rank could help).
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <vector>

#include "runtime/host/FragmentHost.h"
#include "runtime/host/StuckWatch.h"
#include "runtime/host/TurnClock.h"

namespace fdg::host {

class FragmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nothing moves on this rank: what it waits for may be anywhere.
class StuckError : public FragmentError {
 public:
  using FragmentError::FragmentError;
};

/// Asked to end by a signal; `signal` is its number.
struct Interrupted {
  int signal = 0;
  bool told = false;  ///< By rank 0, not by the signal itself.
};

class Scheduler {
 public:
  /// `on_busy`: called from another thread when a fragment has computed for that long. Where no other
  /// rank is there to find out, it has to end the run: nothing goes on here.
  Scheduler(HostContext& context, const PlanCode& code, const void* config, double stuck_after,
            std::function<void(const std::string& sentence, bool is_alone)> on_busy = {});
  ~Scheduler();

  void run(const std::function<void()>& idle);
  std::vector<FragmentRecord> fragmentRecords() const;
  std::vector<BoundaryRecord> boundaryRecords() const;
  std::vector<ScriptRecord> scripts() const;
  /// What rank 0 says about the next checkpoint, to all fragments here. Answers go into the batch.
  void obey(const CheckpointOrder& order);

 private:
  struct Slot;
  bool advance(Slot& slot, bool all_wait);
  bool standsStill(const Slot& slot) const;
  void finish(Slot& slot);
  bool resume(Slot& slot);
  std::string whoWaits() const;

  HostContext& context_;
  double stuck_after_;
  bool has_remote_ = false;
  TurnClock clock_;
  std::chrono::steady_clock::time_point now_;  // the present turn's begin, which is the last's end
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unique_ptr<StuckWatch> watch_;
};

}  // namespace fdg::host
