// How a rank waits: it spins for a moment, then sleeps on its doorbell.
//
// Spinning lasts at most 50 µs and yields the core; with more ranks than cores on the node there is
// none: only who waits for its equals gives them the core instead, for 20 µs of its own. MPI tells nobody that something came, so a rank with partners over MPI wakes in slices to
// ask (200 µs, doubling to 1 ms: shorter ones slow down whoever computes on the core).
#pragma once

#include <chrono>
#include <functional>

#include "runtime/transport/Doorbell.h"
#include "runtime/transport/Ends.h"

namespace fdg::transport {

class Waiting {
 public:
  Waiting(Doorbell& bell, Activity activity, bool may_spin)
      : bell_(bell), activity_(std::move(activity)), may_spin_(may_spin) {}

  /// How often MPI is asked: often, when it carries channels; else now and then, for stray letters.
  enum class Asking { often, rarely, never };

  /// Until the bell rang or the activity counter moved since the last wait ended, `ask` found
  /// something, or `most` is over, or a signal came.
  void wait(std::chrono::microseconds most, Asking asking, const std::function<bool()>& ask);
  /// The same for who can go on only when all others are where it is. Those that share its core have
  /// to compute first, and need not wake it then. For anyone else it would be wrong: who is woken
  /// gets a core sooner than who gave it to one that computes for long.
  void waitForEquals(std::chrono::microseconds most, Asking asking,
                     const std::function<bool()>& ask);

 private:
  using Clock = std::chrono::steady_clock;

  bool changed() const;
  bool spin(Clock::time_point deadline, Asking asking, const std::function<bool()>& ask) const;
  void sleepInSlices(Clock::time_point deadline, Asking asking, const std::function<bool()>& ask);

  Doorbell& bell_;
  Activity activity_;
  bool may_spin_;
  uint32_t seen_rings_ = 0;
  uint64_t seen_activity_ = 0;
};

/// Cores this process may run on.
int usableCores();

}  // namespace fdg::transport
