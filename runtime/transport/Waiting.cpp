#include "runtime/transport/Waiting.h"

#include <sched.h>

namespace fdg::transport {
namespace {

using std::chrono::microseconds;

constexpr microseconds kSpin{50};
constexpr microseconds kYielding{20};
constexpr microseconds kFirstSlice{200};
constexpr microseconds kLastSlice{1000};
constexpr microseconds kRareSlice{20'000};
constexpr int kLooksPerYield = 32;

void pauseCore() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

bool Waiting::changed() const {
  return bell_.rings.load(std::memory_order_acquire) != seen_rings_ || *activity_ != seen_activity_;
}

bool Waiting::spin(Clock::time_point deadline, Asking asking,
                   const std::function<bool()>& ask) const {
  const auto end = std::min(deadline, Clock::now() + kSpin);
  do {
    for (int i = 0; i < kLooksPerYield; ++i) {
      if (changed()) {
        return true;
      }
      pauseCore();
    }
    if (asking == Asking::often && ask()) {
      return true;
    }
    sched_yield();
  } while (Clock::now() < end);
  return false;
}

void Waiting::sleepInSlices(Clock::time_point deadline, Asking asking,
                            const std::function<bool()>& ask) {
  microseconds slice = asking == Asking::often ? kFirstSlice : kRareSlice;
  while (!changed()) {
    const auto left = std::chrono::duration_cast<microseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      return;
    }
    const bool is_undisturbed =
        bell_.sleep(seen_rings_, asking == Asking::never ? left : std::min(left, slice));
    // Who was rung does not ask: MPI may give the core away while it looks.
    if (!is_undisturbed || (!changed() && asking != Asking::never && ask())) {
      return;
    }
    if (asking == Asking::often) {
      slice = std::min(2 * slice, kLastSlice);
    }
  }
}

void Waiting::wait(microseconds most, Asking asking, const std::function<bool()>& ask) {
  const auto deadline = Clock::now() + most;
  const bool found =
      changed() || (asking == Asking::often && ask()) || (may_spin_ && spin(deadline, asking, ask));
  if (!found) {
    sleepInSlices(deadline, asking, ask);
  }
  seen_rings_ = bell_.rings.load(std::memory_order_acquire);
  seen_activity_ = *activity_;
}

void Waiting::waitForEquals(microseconds most, Asking asking, const std::function<bool()>& ask) {
  if (!may_spin_) {
    const auto end = Clock::now() + std::min(most, kYielding);
    while (!changed() && Clock::now() < end) {
      sched_yield();
    }
  }
  wait(most, asking, ask);
}

int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    return 1;
  }
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace fdg::transport
