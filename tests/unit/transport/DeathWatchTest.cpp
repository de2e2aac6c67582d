#include "runtime/transport/DeathWatch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

namespace fdg::transport {
namespace {

/// A process that does nothing.
class Idle {
 public:
  Idle() : process_(::fork()) {
    if (process_ == 0) {
      for (;;) {
        ::pause();
      }
    }
  }
  ~Idle() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;

  void send(int signal) const { ::kill(process_, signal); }
  DeathWatch::Watched as(int rank) const { return {rank, process_}; }

 private:
  pid_t process_;
};

/// Sleeps until as many have died as are wanted.
std::set<int> deaths(DeathWatch& watch, Doorbell& bell, size_t wanted) {
  std::set<int> dead;
  while (dead.size() < wanted) {
    const uint32_t seen = bell.rings.load();
    const std::vector<int> died = watch.take();
    dead.insert(died.begin(), died.end());
    if (died.empty()) {
      bell.sleep(seen, std::chrono::seconds(60));
    }
  }
  return dead;
}

TEST(DeathWatchTest, ADeathRingsAndIsToldOnce) {
  const Idle one, two, three;
  Doorbell bell;
  DeathWatch watch({one.as(1), two.as(2), three.as(4)}, bell);
  EXPECT_TRUE(watch.take().empty());
  EXPECT_EQ(bell.rings.load(), 0U);
  two.send(SIGKILL);
  EXPECT_EQ(deaths(watch, bell, 1), std::set<int>({2}));
  EXPECT_TRUE(watch.take().empty());
  one.send(SIGKILL);
  three.send(SIGTERM);
  EXPECT_EQ(deaths(watch, bell, 2), std::set<int>({1, 4}));
}

TEST(DeathWatchTest, WhoIsStoppedLives) {
  const Idle stopped, killed;
  Doorbell bell;
  DeathWatch watch({stopped.as(1), killed.as(2)}, bell);
  stopped.send(SIGSTOP);
  killed.send(SIGKILL);
  EXPECT_EQ(deaths(watch, bell, 1), std::set<int>({2}));
  EXPECT_TRUE(watch.take().empty());
  stopped.send(SIGKILL);
  EXPECT_EQ(deaths(watch, bell, 1), std::set<int>({1}));
}

TEST(DeathWatchTest, EndsWhileTheyLive) {
  const Idle one;
  Doorbell bell;
  { const DeathWatch watch({one.as(1)}, bell); }
  { const DeathWatch watch({}, bell); }
  one.send(SIGKILL);
  EXPECT_EQ(bell.rings.load(), 0U);
}

}  // namespace
}  // namespace fdg::transport
