// Messages of large tensors and small ones: over MPI the large ones are sent from where they lie.
#include <algorithm>

#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

constexpr int64_t kMessages = 60;

/// Three tensors and bytes that follow from `number`; sizes from nothing to 320 KB.
Message mixture(int64_t number) {
  Message message = numbered(number, number % 9 * 9'100);
  message.parts.tensors.push_back(at::full({8'190 + number % 5}, number, at::kInt));
  message.parts.tensors.push_back(at::full({number % 4, 20'000}, number, at::kInt));
  message.parts.bytes.append(static_cast<size_t>(number % 3 * 20'000), 'b');
  return message;
}

void expectMixture(const Message& got, int64_t number) {
  const Message expected = mixture(number);
  ASSERT_EQ(got.header.execution, number);
  ASSERT_EQ(got.parts.bytes, expected.parts.bytes);
  ASSERT_EQ(got.parts.tensors.size(), expected.parts.tensors.size());
  for (size_t i = 0; i < got.parts.tensors.size(); ++i) {
    ASSERT_TRUE(sameTensor(got.parts.tensors[i], expected.parts.tensors[i])) << number << ' ' << i;
  }
}

/// The sender keeps nothing, and ends as soon as it has sent the last.
RANKS_TEST(LargeTensors, BesideSmallOnes) {
  std::vector<Channel> channels;
  for (int from = 0; from < rig().size(); ++from) {
    for (int to = 0; to < rig().size(); ++to) {
      channels.push_back(rig().open(Flow::ordered, 1 + (from + 2 * to) % 4, false, from, to));
    }
  }
  rig().connect();
  std::vector<Step> steps;
  for (Channel& channel : channels) {
    if (channel.sender) {
      steps.push_back([&channel, next = int64_t{0}]() mutable {
        for (; next < kMessages; ++next) {
          Message message = mixture(next);
          if (!channel.sender->trySend(message)) {
            return false;
          }
        }
        channel.sender.reset();
        return true;
      });
    }
    if (channel.receiver) {
      steps.push_back([&channel, next = int64_t{0}]() mutable {
        Message message;
        while (channel.receiver->tryReceive(message)) {
          expectMixture(message, next++);
        }
        if (!channel.receiver->ended()) {
          return false;
        }
        EXPECT_EQ(next, kMessages);
        return true;
      });
    }
  }
  rig().run(std::move(steps));
  rig().meet();
}

/// What was sent may be written again once the sender alone holds it: then it has arrived or been
/// copied.
RANKS_TEST(LargeTensors, MayBeWrittenAgainByWhoAloneHoldsThem) {
  const Channel channel = rig().open(Flow::ordered, 3);
  rig().connect();
  constexpr int64_t kCount = 200;
  std::vector<at::Tensor> made;
  rig().drive(
      channel,
      [&, next = int64_t{0}]() mutable {
        for (; next < kCount; ++next) {
          auto free = std::ranges::find_if(made, [](const at::Tensor& t) {
            return t.use_count() == 1 && t.storage().use_count() == 1;
          });
          if (free == made.end()) {
            free = made.insert(made.end(), at::empty({50'000}, at::kLong));
          }
          free->fill_(next);
          Message message;
          message.parts.tensors = {*free};
          if (!channel.sender->trySend(message)) {
            return false;
          }
        }
        return true;
      },
      [&, next = int64_t{0}]() mutable {
        Message message;
        while (next < kCount && channel.receiver->tryReceive(message)) {
          EXPECT_TRUE(sameTensor(message.parts.tensors.at(0), at::full({50'000}, next, at::kLong)));
          ++next;
        }
        return next == kCount;
      });
}

RANKS_TEST(LargeTensors, ConsumerStopsBetweenThem) {
  const Channel channel = rig().open(Flow::ordered, 2);
  rig().connect();
  rig().drive(
      channel,
      [&, sent = int64_t{0}]() mutable {
        while (!channel.sender->consumerClosed()) {
          Message message = mixture(sent);
          if (!channel.sender->trySend(message)) {
            return false;
          }
          ++sent;
        }
        return true;
      },
      [&, next = int64_t{0}]() mutable {
        Message message;
        while (next < 5 && channel.receiver->tryReceive(message)) {
          expectMixture(message, next++);
        }
        if (next == 5) {
          channel.receiver->close();
        }
        return next == 5;
      });
}

}  // namespace
}  // namespace fdg::transport
