// TurnClock: steady_clock's time at half its cost, for what is asked for at every turn of a fragment.
//
// It looks at steady_clock every 10 ms, and in between counts the processor's own ticks from there,
// each as long as between the two looks before. So it never leaves steady_clock by more than the last
// 10 ms may be wrong, whatever the ticks do (they may stand still, jump between cores or change their
// rate); it only grows. Where the processor has no such counter it is steady_clock. One thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace fdg::host {

class TurnClock {
 public:
  using Clock = std::chrono::steady_clock;

  TurnClock();

  Clock::time_point now() {
    const uint64_t since = ticks() - last_look_.ticks;
    if (since >= most_) {
      return last_ = std::max(last_, lookAgain());
    }
    return last_ = std::max(last_,
                            last_look_.time + std::chrono::nanoseconds(since * by_tick_ >> kShift));
  }

  /// The processor's counter; always 0 where there is none that is read at once.
  static uint64_t ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
  }

 private:
  static constexpr int kShift = 32;

  /// Which tick a time was: one of `took`, from `ticks` on.
  struct Look {
    uint64_t ticks = 0;
    Clock::time_point time;
    uint64_t took = 0;
  };

  static Look look();
  Clock::time_point lookAgain();

  Look last_look_;
  uint64_t most_ = 0;     // ticks until it looks again; 0: it does not know how long one is
  uint64_t by_tick_ = 0;  // nanoseconds, times 2^kShift
  Clock::time_point last_;
};

}  // namespace fdg::host
