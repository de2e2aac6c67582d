#include "runtime/host/TurnClock.h"

namespace fdg::host {
namespace {

constexpr double kLooksAgain = 10e6;  // nanoseconds
constexpr double kLookIsShort = 10e3;

}  // namespace

TurnClock::Clock::time_point TurnClock::look() {
  const uint64_t before = ticks();
  const Clock::time_point now = Clock::now();
  const auto took = static_cast<double>(ticks() - before);
  const auto passed = static_cast<double>(before - ticks_);
  const double elapsed = std::chrono::duration<double, std::nano>(now - looked_).count();
  if (elapsed < kLooksAgain) {
    return now;
  }
  const double rate = elapsed / passed;
  // From 10 MHz to 20 GHz. Interrupted in its look, it does not know which tick that time was.
  const bool counts = rate > 0.05 && rate < 100 && took * rate < kLookIsShort;
  by_tick_ = counts ? static_cast<uint64_t>(rate * static_cast<double>(uint64_t{1} << kShift)) : 0;
  most_ = counts ? static_cast<uint64_t>(kLooksAgain / rate) : 0;
  looked_ = now;
  ticks_ = before;
  return now;
}

}  // namespace fdg::host
