#include "runtime/transport/Waiting.h"

#include <gtest/gtest.h>

#include <ctime>
#include <memory>
#include <thread>

namespace fdg::transport {
namespace {

using std::chrono::milliseconds;

std::chrono::nanoseconds ownTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

struct Waiter {
  Doorbell bell;
  Activity activity = std::make_shared<uint64_t>(0);
  Waiting waiting;

  explicit Waiter(bool may_spin) : waiting(bell, activity, may_spin) {}
};

TEST(Doorbell, WakesWhoSleepsOnce) {
  Doorbell bell;
  bell.sleeping = 1;
  bell.ring();
  EXPECT_EQ(bell.sleeping, 0U);  // woken, and may have no core yet: nobody has to wake it again
  bell.ring();
  EXPECT_EQ(bell.sleeping, 0U);
  EXPECT_EQ(bell.rings, 2U);
}

TEST(Doorbell, NoRingIsLostHoweverManyRing) {
  Doorbell bell;
  constexpr uint32_t kRings = 2000;
  const auto ringOften = [&bell] {
    for (uint32_t i = 0; i < kRings; ++i) {
      bell.ring();
      std::this_thread::yield();
    }
  };
  std::thread first(ringOften);
  std::thread second(ringOften);
  for (uint32_t seen = bell.rings; seen < 2 * kRings; seen = bell.rings) {
    bell.sleep(seen, std::chrono::minutes(10));  // a lost one: the test never ends
  }
  first.join();
  second.join();
}

TEST(Waiting, IsNoWorkHoweverItWaits) {
  for (const bool may_spin : {false, true}) {
    Waiter one(may_spin);
    const auto start = ownTime();
    for (int i = 0; i < 10; ++i) {
      one.waiting.wait(milliseconds(20), Waiting::Asking::never, {});
      one.waiting.waitForEquals(milliseconds(20), Waiting::Asking::never, {});
    }
    EXPECT_LT(ownTime() - start, milliseconds(100));  // of 400
  }
}

TEST(Waiting, ForEqualsEndsWithWhatComesBeforeAndDuringIt) {
  for (const bool may_spin : {false, true}) {
    Waiter one(may_spin);
    one.bell.ring();
    one.waiting.waitForEquals(std::chrono::minutes(10), Waiting::Asking::never, {});
    for (int i = 0; i < 200; ++i) {
      std::thread other([&] { one.bell.ring(); });
      one.waiting.waitForEquals(std::chrono::minutes(10), Waiting::Asking::never, {});
      other.join();
    }
    ++*one.activity;
    one.waiting.waitForEquals(std::chrono::minutes(10), Waiting::Asking::never, {});
  }
}

}  // namespace
}  // namespace fdg::transport
