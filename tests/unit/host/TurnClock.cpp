#include "runtime/host/TurnClock.h"

#include <gtest/gtest.h>

namespace fdg::host {
namespace {

using std::chrono::milliseconds;

/// Through some of its looks at steady_clock, whatever else the machine does meanwhile.
TEST(TurnClock, StaysWithSteadyClockAndOnlyGrows) {
  constexpr milliseconds kSlack(1);
  TurnClock clock;
  const auto end = TurnClock::Clock::now() + milliseconds(60);
  auto last = clock.now();
  for (auto before = TurnClock::Clock::now(); before < end; before = TurnClock::Clock::now()) {
    const auto now = clock.now();
    const auto after = TurnClock::Clock::now();
    ASSERT_GE(now, before - kSlack);
    ASSERT_LE(now, after + kSlack);
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace fdg::host
