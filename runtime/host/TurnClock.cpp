#include "runtime/host/TurnClock.h"

namespace fdg::host {
namespace {

constexpr double kLooksAgain = 10e6;  // nanoseconds
/// What a look may take at most: one that was interrupted does not say which tick its time was.
constexpr double kLookIsShort = 10e3;
constexpr int kTries = 3;

}  // namespace

/// The shortest of some.
TurnClock::Look TurnClock::look() {
  Look best;
  for (int i = 0; i < kTries; ++i) {
    Look one{ticks(), Clock::now(), 0};
    one.took = ticks() - one.ticks;
    if (i == 0 || one.took < best.took) {
      best = one;
    }
  }
  return best;
}

TurnClock::TurnClock() : last_look_(look()), last_(last_look_.time) {}

TurnClock::Clock::time_point TurnClock::lookAgain() {
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double, std::nano>(now - last_look_.time).count() < kLooksAgain) {
    return now;  // it does not know yet how long a tick is
  }
  const Look next = look();
  const double elapsed = std::chrono::duration<double, std::nano>(next.time - last_look_.time).count();
  const double rate = elapsed / static_cast<double>(next.ticks - last_look_.ticks);
  most_ = 0;
  if (static_cast<double>(next.took) * rate > kLookIsShort) {
    return next.time;
  }
  if (rate > 0.05 && rate < 100) {  // 10 MHz to 20 GHz
    most_ = static_cast<uint64_t>(kLooksAgain / rate);
    by_tick_ = static_cast<uint64_t>(rate * static_cast<double>(uint64_t{1} << kShift));
  }
  last_look_ = next;
  return next.time;
}

}  // namespace fdg::host
