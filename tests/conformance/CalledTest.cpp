// Called channels: the consumer's handler runs at the send, in the producer's thread, and never
// once the consumer has taken it back. For carriers within a process; others have none.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

bool hasCalls() { return rig().carrier() == "local" || rig().carrier() == "queue"; }

/// Sends numbered messages until `count` are gone, then closes.
Step producer(const Channel& channel, int64_t count) {
  return [&channel, count, next = int64_t{0}]() mutable {
    while (next < count) {
      Message message = numbered(next, 16);
      if (!channel.sender->trySend(message)) {
        expectNumbered(message, next, 16);
        return false;
      }
      ++next;
    }
    channel.sender->close();
    return true;
  };
}

RANKS_TEST(Called, RunsInTheProducersThreadInOrder) {
  if (!hasCalls()) {
    return;
  }
  constexpr int64_t kCount = 500;
  const Channel channel = rig().open(Flow::called, 1);
  rig().connect();
  const std::thread::id own = std::this_thread::get_id();
  int64_t next = 0;
  bool is_serving = false;
  rig().drive(channel, producer(channel, kCount), [&] {
    if (!std::exchange(is_serving, true)) {
      channel.receiver->serve([&](Message& message) {
        expectNumbered(message, next++, 16);
        EXPECT_EQ(std::this_thread::get_id() == own, rig().size() == 1);
        return true;
      });
    }
    Message message;
    EXPECT_FALSE(channel.receiver->tryReceive(message));
    EXPECT_EQ(channel.receiver->waiting(), 0);
    if (!channel.receiver->ended()) {
      return false;
    }
    EXPECT_EQ(next, kCount);
    return true;
  });
}

/// As `behind` and `ahead` do: the handler takes what is allowed, the consumer allows a step more
/// when it has come.
RANKS_TEST(Called, WhoWasToldNoIsWoken) {
  if (!hasCalls()) {
    return;
  }
  constexpr int64_t kCount = 1000;
  const Channel channel = rig().open(Flow::called, 1);
  rig().connect();
  std::atomic<int64_t> allowed{-1};
  std::atomic<int64_t> taken{0};
  bool is_serving = false;
  rig().drive(channel, producer(channel, kCount), [&]() -> Turn {
    if (!std::exchange(is_serving, true)) {
      channel.receiver->serve([&](Message& message) {
        if (message.header.execution > allowed) {
          return false;
        }
        ++taken;
        return true;
      });
    }
    if (taken > allowed) {
      ++allowed;
      channel.receiver->retry();
      return again();
    }
    return channel.receiver->ended();
  });
}

/// A handler that is taken back does not run any more: what it uses needs no lock.
RANKS_TEST(Called, NothingRunsOnceTheHandlerIsTakenBack) {
  if (!hasCalls()) {
    return;
  }
  constexpr int64_t kCount = 20'000;
  const Channel channel = rig().open(Flow::called, 1);
  rig().connect();
  int64_t next = 0;
  bool is_serving = false;
  rig().drive(channel, producer(channel, kCount), [&]() -> Turn {
    is_serving = !is_serving;
    if (is_serving) {
      channel.receiver->serve([&next](Message& message) {
        EXPECT_EQ(message.header.execution, next);
        ++next;
        return true;
      });
      std::this_thread::yield();
      return again();
    }
    channel.receiver->serve({});
    EXPECT_LE(next, kCount);
    next += 1;  // as a call would
    next -= 1;
    return channel.receiver->ended() ? Turn(true) : again();
  });
  EXPECT_EQ(next, channel.receiver ? kCount : 0);
}

RANKS_TEST(Called, ClosesWhileMessagesCome) {
  if (!hasCalls()) {
    return;
  }
  for (int round = 0; round < 100; ++round) {
    const Channel channel = rig().open(Flow::called, 1);
    rig().connect();
    int64_t calls = 0;
    std::atomic<bool> begun{false};
    bool is_serving = false;
    rig().drive(
        channel,
        [&, next = int64_t{0}]() mutable -> Turn {
          Message message = numbered(next, 0);
          const bool sent = channel.sender->trySend(message);
          next += sent ? 1 : 0;
          return channel.sender->consumerClosed() ? Turn(true) : sent ? again() : Turn(false);
        },
        [&] {
          if (!std::exchange(is_serving, true)) {
            channel.receiver->serve([&](Message&) {
              ++calls;
              begun = true;
              return true;
            });
          }
          if (!begun) {
            return false;
          }
          channel.receiver->close();
          const int64_t at_end = calls;
          std::this_thread::yield();
          EXPECT_EQ(calls, at_end);
          EXPECT_TRUE(channel.receiver->ended());
          return true;
        });
  }
}

RANKS_TEST(Called, AHandlerThatThrowsLeavesTheChannel) {
  if (!hasCalls()) {
    return;
  }
  const Channel channel = rig().open(Flow::called, 1);
  rig().connect();
  bool is_serving = false;
  bool has_thrown = false;
  rig().drive(
      channel,
      [&]() -> Turn {
        Message message = numbered(0, 16);
        try {
          if (!channel.sender->trySend(message)) {
            return false;
          }
          EXPECT_TRUE(has_thrown);
          channel.sender->close();
          return true;
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "the first fails");
          has_thrown = true;
          return again();
        }
      },
      [&, calls = 0]() mutable {
        if (!std::exchange(is_serving, true)) {
          channel.receiver->serve([&calls](Message&) {
            if (calls++ == 0) {
              throw std::runtime_error("the first fails");
            }
            return true;
          });
        }
        return channel.receiver->ended();
      });
}

/// Several producers call one consumer at a time.
RANKS_TEST(Called, AllRanksCallTheLast) {
  if (!hasCalls()) {
    return;
  }
  constexpr int64_t kCount = 2000;
  std::vector<Channel> channels;
  for (int from = 0; from < rig().size(); ++from) {
    channels.push_back(rig().open(Flow::called, 1, false, from, rig().last()));
  }
  rig().connect();
  std::atomic<int64_t> sum{0};
  std::vector<Step> steps;
  for (const Channel& channel : channels) {
    if (channel.receiver) {
      channel.receiver->serve([&sum](Message& message) {
        sum += message.header.execution;
        return true;
      });
      steps.push_back([&channel] { return channel.receiver->ended(); });
    }
    if (channel.sender) {
      steps.push_back(producer(channel, kCount));
    }
  }
  rig().run(std::move(steps));
  if (rig().rank() == rig().last()) {
    EXPECT_EQ(sum, rig().size() * kCount * (kCount - 1) / 2);
  }
  rig().meet();
}

}  // namespace
}  // namespace fdg::transport
