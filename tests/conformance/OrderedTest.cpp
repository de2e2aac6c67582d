// Ordered channels: order, credits, sizes, tensors that are kept, ends that close early.
#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

/// Sends numbered messages of `floats` until `count` are gone, then closes.
Step producer(const Channel& channel, int64_t count, int64_t floats) {
  return [&channel, count, floats, next = int64_t{0}]() mutable {
    while (next < count) {
      Message message = numbered(next, floats);
      if (!channel.sender->trySend(message)) {
        return false;
      }
      ++next;
    }
    channel.sender->close();
    return true;
  };
}

/// Expects them in order and then the end.
Step consumer(const Channel& channel, int64_t count, int64_t floats) {
  return [&channel, count, floats, next = int64_t{0}]() mutable {
    Message message;
    while (channel.receiver->tryReceive(message)) {
      expectNumbered(message, next++, floats);
    }
    if (!channel.receiver->ended()) {
      return false;
    }
    EXPECT_EQ(next, count);
    return true;
  };
}

void stream(int window, int64_t count, int64_t floats, bool held = false) {
  const Channel channel = rig().open(Flow::ordered, window, held);
  rig().connect();
  rig().drive(channel, producer(channel, count, floats), consumer(channel, count, floats));
}

RANKS_TEST(Ordered, KeepsOrderWithoutTensors) { stream(2, 500, 0); }
RANKS_TEST(Ordered, KeepsOrderOfSmallTensors) { stream(1, 300, 16); }
RANKS_TEST(Ordered, KeepsOrderOfLargeTensors) { stream(3, 300, 50'000); }
RANKS_TEST(Ordered, CopiesWhatIsHeld) { stream(2, 200, 5000, true); }
RANKS_TEST(Ordered, WindowLargerThanTheRing) { stream(200, 1000, 2000); }

RANKS_TEST(Ordered, MovesWhatIsLargerThanASlot) { stream(2, 5, 16 << 20); }

RANKS_TEST(Ordered, MixesSizes) {
  const Channel channel = rig().open(Flow::ordered, 2);
  rig().connect();
  constexpr int64_t kCount = 60;
  const auto floats = [](int64_t i) { return i % 6 == 5 ? int64_t{5 << 20} : i * i * 10; };
  rig().drive(
      channel,
      [&, next = int64_t{0}]() mutable {
        while (next < kCount) {
          Message message = numbered(next, floats(next));
          if (!channel.sender->trySend(message)) {
            return false;
          }
          ++next;
        }
        return true;
      },
      [&, next = int64_t{0}]() mutable {
        Message message;
        while (next < kCount && channel.receiver->tryReceive(message)) {
          expectNumbered(message, next, floats(next));
          ++next;
        }
        return next == kCount;
      });
}

/// Small ones, with a tensor and without, on either side of what travels in a ring's entry, and now and
/// then one in pieces, behind which they queue up.
void smallBesideLarge(int window, bool held) {
  const Channel channel = rig().open(Flow::ordered, window, held);
  rig().connect();
  constexpr int64_t kCount = 700;
  const auto made = [](int64_t i) {
    Message message;
    message.header.execution = i;
    message.parts.bytes.assign(static_cast<size_t>(i % 300), static_cast<char>('a' + i % 26));
    if (i % 3 == 0) {
      message.parts.tensors = {at::full({i % 150 == 0 ? int64_t{5 << 20} : i % 40}, i, at::kFloat)};
    }
    return message;
  };
  rig().drive(
      channel,
      [&, next = int64_t{0}]() mutable {
        for (; next < kCount; ++next) {
          Message message = made(next);
          if (!channel.sender->trySend(message)) {
            return false;
          }
        }
        return true;
      },
      [&, next = int64_t{0}]() mutable {
        Message message;
        for (; next < kCount && channel.receiver->tryReceive(message); ++next) {
          const Message expected = made(next);
          EXPECT_EQ(message.header.execution, next);
          EXPECT_EQ(message.parts.bytes, expected.parts.bytes);
          EXPECT_EQ(message.parts.tensors.size(), expected.parts.tensors.size());
          if (!expected.parts.tensors.empty()) {
            EXPECT_TRUE(sameTensor(message.parts.tensors.at(0), expected.parts.tensors[0])) << next;
          }
        }
        return next == kCount;
      });
}

RANKS_TEST(Ordered, SmallOnesBesideLargeOnes) { smallBesideLarge(3, false); }
RANKS_TEST(Ordered, SmallOnesBesideLargeOnesInAWideWindow) { smallBesideLarge(100, false); }
RANKS_TEST(Ordered, SmallOnesThatAreHeld) { smallBesideLarge(1, true); }

/// The producer fills the window and is refused; every message taken and let go gives back one
/// credit.
void credits(int window, int64_t floats = 2000) {
  const Channel channel = rig().open(Flow::ordered, window);
  rig().connect();
  int64_t sent = 0;
  std::vector<Step> steps;
  if (channel.sender) {
    for (; sent < window; ++sent) {
      Message message = numbered(sent, floats);
      ASSERT_TRUE(channel.sender->trySend(message)) << sent;
    }
    Message message = numbered(sent, floats);
    ASSERT_FALSE(channel.sender->trySend(message));
    expectNumbered(message, sent, floats);  // untouched
    // The consumer takes one only after it heard that the window was full.
    rig().transport().post(rig().last(), "full");
    steps.push_back([&] {
      Message one_more = numbered(sent, floats);
      return channel.sender->trySend(one_more);
    });
  }
  if (channel.receiver) {
    steps.push_back([&, heard = false]() mutable {
      const auto letter = heard ? std::nullopt : rig().takeLetter();
      heard = heard || letter.has_value();
      Message message;
      return heard && channel.receiver->tryReceive(message);
    });
  }
  rig().run(std::move(steps));
  rig().meet();
  if (channel.sender) {
    Message message = numbered(0, 0);
    ASSERT_FALSE(channel.sender->trySend(message)) << "one credit came back, not two";
  }
  rig().meet();
}

RANKS_TEST(Ordered, CreditsOfWindow1) { credits(1); }
RANKS_TEST(Ordered, CreditsOfWindow2) { credits(2); }
RANKS_TEST(Ordered, CreditsOfWindow16) { credits(16); }
RANKS_TEST(Ordered, CreditsOfLargeTensors) { credits(3, 50'000); }

RANKS_TEST(Ordered, ManySmallMessagesToASlowPeer) {
  // The peer takes one message a turn; the sender is never more than the window ahead.
  const Channel channel = rig().open(Flow::ordered, 4);
  rig().connect();
  constexpr int64_t kCount = 20'000;
  rig().drive(
      channel,
      [&, next = int64_t{0}]() mutable {
        for (; next < kCount; ++next) {
          Message message = numbered(next, 256);
          if (!channel.sender->trySend(message)) {
            return false;
          }
        }
        return true;
      },
      [&, next = int64_t{0}]() mutable -> Turn {
        Message message;
        EXPECT_LE(channel.receiver->waiting(), 4);
        if (!channel.receiver->tryReceive(message)) {
          return false;
        }
        expectNumbered(message, next++, 256);
        return next == kCount ? Turn(true) : again();
      });
}

void keepEverything(bool held) {
  const Channel channel = rig().open(Flow::ordered, 2, held);
  rig().connect();
  constexpr int64_t kCount = 1000;
  std::vector<Message> kept;
  rig().drive(channel, producer(channel, kCount, 4000), [&] {
    Message message;
    while (channel.receiver->tryReceive(message)) {
      kept.push_back(std::move(message));
    }
    return channel.receiver->ended();
  });
  for (size_t i = 0; i < kept.size(); ++i) {
    expectNumbered(kept[i], static_cast<int64_t>(i), 4000);
  }
  EXPECT_EQ(kept.size(), channel.receiver ? 1000U : 0U);
}

RANKS_TEST(Ordered, KeepsEveryHeldTensor) { keepEverything(true); }
RANKS_TEST(Ordered, KeepsEveryTensorThoughNotHeld) { keepEverything(false); }

RANKS_TEST(Ordered, TensorsOutliveTheReceiver) {
  Channel channel = rig().open(Flow::ordered, 2);
  rig().connect();
  Message kept;
  rig().drive(channel, producer(channel, 1, 100'000),
              [&] { return channel.receiver->tryReceive(kept); });
  channel = {};
  rig().meet();
  if (rig().rank() == rig().last()) {
    expectNumbered(kept, 0, 100'000);
  }
}

RANKS_TEST(Ordered, ReleasesInAnyOrder) {
  const Channel channel = rig().open(Flow::ordered, 4);
  rig().connect();
  std::vector<Message> kept;
  rig().drive(channel, producer(channel, 200, 3000), [&, next = int64_t{0}]() mutable {
    Message message;
    while (channel.receiver->tryReceive(message)) {
      kept.push_back(std::move(message));
      ++next;
      if (kept.size() == 2) {
        kept.erase(kept.begin() + next % 2);
        expectNumbered(kept[0], kept[0].header.execution, 3000);
      }
    }
    return channel.receiver->ended();
  });
}

RANKS_TEST(Ordered, ConsumerStopsEarly) {
  const Channel channel = rig().open(Flow::ordered, 2);
  rig().connect();
  int64_t sent = 0;
  rig().drive(
      channel,
      [&] {
        while (!channel.sender->consumerClosed()) {
          Message message = numbered(sent, 3000);
          if (!channel.sender->trySend(message)) {
            return false;
          }
          ++sent;
        }
        Message dropped = numbered(sent, 16 << 20);
        EXPECT_TRUE(channel.sender->trySend(dropped));
        EXPECT_TRUE(channel.sender->trySend(dropped));
        return true;
      },
      [&, next = int64_t{0}]() mutable {
        Message message;
        while (next < 3 && channel.receiver->tryReceive(message)) {
          expectNumbered(message, next++, 3000);
        }
        if (next < 3) {
          return false;
        }
        channel.receiver->close();
        EXPECT_FALSE(channel.receiver->tryReceive(message));
        return true;
      });
  EXPECT_LE(sent, 100'000);
}

RANKS_TEST(Ordered, ConsumerStopsWhileALargeMessageIsUnderWay) {
  const Channel channel = rig().open(Flow::ordered, 2);
  rig().connect();
  rig().drive(
      channel,
      [&, sent = 0]() mutable {
        while (sent < 2) {
          Message message = numbered(sent, 16 << 20);
          EXPECT_TRUE(channel.sender->trySend(message));
          ++sent;
        }
        return channel.sender->consumerClosed();
      },
      [&] {
        channel.receiver->close();
        return true;
      });
}

RANKS_TEST(Ordered, ProducerStopsEarly) {
  const Channel channel = rig().open(Flow::ordered, 4);
  rig().connect();
  rig().drive(channel, producer(channel, 3, 10), consumer(channel, 3, 10));
  const Channel silent = rig().open(Flow::ordered, 4);
  rig().connect();
  rig().drive(silent, producer(silent, 0, 10), consumer(silent, 0, 10));
}

RANKS_TEST(Ordered, HandlesThatGoAwayCloseTheirEnds) {
  Channel channel = rig().open(Flow::ordered, 2);
  Channel other = rig().open(Flow::ordered, 2);
  rig().connect();
  const bool produces = channel.sender != nullptr;
  const bool consumes = channel.receiver != nullptr;
  channel.sender.reset();
  other.receiver.reset();
  std::vector<Step> steps;
  if (produces) {
    steps.push_back([&] { return other.sender->consumerClosed(); });
  }
  if (consumes) {
    steps.push_back([&] { return channel.receiver->ended(); });
  }
  rig().run(std::move(steps));
  rig().meet();
}

RANKS_TEST(Ordered, AllRanksToAllRanks) {
  std::vector<Channel> channels;
  for (int from = 0; from < rig().size(); ++from) {
    for (int to = 0; to < rig().size(); ++to) {
      channels.push_back(rig().open(Flow::ordered, 1 + (from + to) % 3, false, from, to));
    }
  }
  rig().connect();
  std::vector<Step> steps;
  for (const Channel& channel : channels) {
    if (channel.sender) {
      steps.push_back(producer(channel, 200, 700));
    }
    if (channel.receiver) {
      steps.push_back(consumer(channel, 200, 700));
    }
  }
  rig().run(std::move(steps));
  rig().meet();
}

}  // namespace
}  // namespace fdg::transport
