// Newest channels: the last message only, whole, and at most once.
#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

Message pattern(int64_t version, int64_t words) {
  Message message;
  message.header.execution = version;
  message.parts.tensors = {at::full({words}, version, at::kLong)};
  message.parts.bytes = std::to_string(version);
  return message;
}

/// All words of one version.
void expectWhole(const Message& message) {
  const int64_t version = message.header.execution;
  ASSERT_EQ(message.parts.bytes, std::to_string(version));
  const at::Tensor& t = message.parts.tensors.at(0);
  const auto* words = static_cast<const int64_t*>(t.const_data_ptr());
  int64_t torn = 0;
  for (int64_t i = 0; i < t.numel(); ++i) {
    torn += words[i] != version ? 1 : 0;
  }
  ASSERT_EQ(torn, 0) << "version " << version;
}

/// Writes without a pause until version `last`; the consumer reads until it has seen that one.
void writeWhileReading(int64_t last, const std::function<int64_t(int64_t)>& words) {
  const Channel channel = rig().open(Flow::newest, 1);
  rig().connect();
  rig().drive(
      channel,
      [&, version = int64_t{0}]() mutable -> Turn {
        for (int burst = 0; burst < 20 && version < last; ++burst) {
          ++version;
          Message message = pattern(version, words(version));
          EXPECT_TRUE(channel.sender->trySend(message));
        }
        if (version < last) {
          return again();
        }
        channel.sender->close();
        return true;
      },
      [&, seen = int64_t{0}]() mutable {
        Message message;
        EXPECT_LE(channel.receiver->waiting(), 1);
        if (channel.receiver->tryReceive(message)) {
          EXPECT_GT(message.header.execution, seen) << "a version came twice or too late";
          seen = message.header.execution;
          expectWhole(message);
        }
        if (!channel.receiver->ended()) {
          return false;
        }
        EXPECT_EQ(seen, last) << "the last version must arrive before the end";
        return true;
      });
}

RANKS_TEST(Newest, SmallIsNeverTorn) {
  writeWhileReading(20'000, [](int64_t) { return int64_t{16}; });
}
RANKS_TEST(Newest, LargeIsNeverTorn) {
  writeWhileReading(400, [](int64_t) { return int64_t{200'000}; });
}
RANKS_TEST(Newest, ChangesItsSize) {
  writeWhileReading(400, [](int64_t version) { return version * version % 60'000; });
}

/// Some of them large, some not, and not always the same.
RANKS_TEST(Newest, ManyTensorsAreOfOneVersion) {
  const Channel channel = rig().open(Flow::newest, 1);
  rig().connect();
  constexpr int64_t kLast = 300;
  const auto sizes = [](int64_t version) {
    return std::vector<int64_t>{version * 977 % 12'000, 30, 50'000, version * 3'001 % 9'000};
  };
  rig().drive(
      channel,
      [&, version = int64_t{0}]() mutable -> Turn {
        Message message;
        message.header.execution = ++version;
        for (const int64_t size : sizes(version)) {
          message.parts.tensors.push_back(at::full({size}, version, at::kLong));
        }
        EXPECT_TRUE(channel.sender->trySend(message));
        if (version < kLast) {
          return again();
        }
        channel.sender->close();
        return true;
      },
      [&, seen = int64_t{0}]() mutable {
        Message message;
        if (channel.receiver->tryReceive(message)) {
          EXPECT_GT(message.header.execution, seen);
          seen = message.header.execution;
          const std::vector<int64_t> expected = sizes(seen);
          EXPECT_EQ(message.parts.tensors.size(), expected.size());
          for (size_t i = 0; i < expected.size(); ++i) {
            EXPECT_TRUE(
                sameTensor(message.parts.tensors[i], at::full({expected[i]}, seen, at::kLong)));
          }
        }
        return channel.receiver->ended() && seen == kLast;
      });
}

RANKS_TEST(Newest, GivesOnlyTheLast) {
  const Channel channel = rig().open(Flow::newest, 1);
  rig().connect();
  rig().drive(
      channel,
      [&] {
        for (int64_t version = 1; version <= 50; ++version) {
          Message message = pattern(version, 1000);
          EXPECT_TRUE(channel.sender->trySend(message));
        }
        return true;
      },
      [&] {
        Message message;
        return channel.receiver->tryReceive(message) && message.header.execution == 50;
      });
  if (channel.receiver) {
    Message message;
    EXPECT_FALSE(channel.receiver->tryReceive(message)) << "each version at most once";
    EXPECT_EQ(channel.receiver->waiting(), 0);
  }
}

RANKS_TEST(Newest, ConsumerStopsEarly) {
  const Channel channel = rig().open(Flow::newest, 1);
  rig().connect();
  rig().drive(
      channel,
      [&, version = int64_t{0}]() mutable -> Turn {
        Message message = pattern(++version, 1000);
        EXPECT_TRUE(channel.sender->trySend(message));
        return channel.sender->consumerClosed() ? Turn(true) : again();
      },
      [&] {
        Message message;
        if (!channel.receiver->tryReceive(message)) {
          return false;
        }
        channel.receiver->close();
        return true;
      });
}

RANKS_TEST(Newest, EndsWithoutAVersion) {
  const Channel channel = rig().open(Flow::newest, 1);
  rig().connect();
  rig().drive(
      channel,
      [&] {
        channel.sender->close();
        return true;
      },
      [&] {
        Message message;
        EXPECT_FALSE(channel.receiver->tryReceive(message));
        return channel.receiver->ended();
      });
}

RANKS_TEST(Newest, ManyConsumers) {
  std::vector<Channel> channels;
  for (int to = 0; to < rig().size(); ++to) {
    channels.push_back(rig().open(Flow::newest, 1, false, 0, to));
  }
  rig().connect();
  constexpr int64_t kLast = 200;
  std::vector<Step> steps;
  for (const Channel& channel : channels) {
    if (channel.sender) {
      steps.push_back([&channel, version = int64_t{0}]() mutable -> Turn {
        Message message = pattern(++version, 3000);
        EXPECT_TRUE(channel.sender->trySend(message));
        return version == kLast ? Turn(true) : again();
      });
    }
    if (channel.receiver) {
      steps.push_back([&channel, seen = int64_t{0}]() mutable {
        Message message;
        if (channel.receiver->tryReceive(message)) {
          expectWhole(message);
          seen = message.header.execution;
        }
        return seen == kLast;
      });
    }
  }
  rig().run(std::move(steps));
  rig().meet();
}

}  // namespace
}  // namespace fdg::transport
