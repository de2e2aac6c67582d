// A consumer's end over MPI, given what arrives piece by piece.
#include <gtest/gtest.h>

#include "runtime/transport/MpiEnds.h"

namespace fdg::transport {
namespace {

/// A message with two large tensors, as it is sent.
struct Pieces {
  std::vector<std::shared_ptr<Incoming>> tensors;
  std::shared_ptr<Incoming> message;

  explicit Pieces(float value) {
    Message sent;
    sent.parts.tensors = {at::full({1000}, value), at::ones({2}), at::full({2000}, value)};
    Image image;
    image.lay(sent, 1000);
    for (const Image::Piece& piece : image.apart()) {
      tensors.push_back(std::make_shared<Incoming>(Incoming{std::make_shared<Buffer>(piece.size)}));
      std::memcpy(tensors.back()->buffer->data(), piece.data, piece.size);
    }
    message = std::make_shared<Incoming>(Incoming{std::make_shared<Buffer>(image.size())});
    image.copy(message->buffer->data(), 0, image.size());
  }
};

class MpiReceiverTest : public ::testing::Test {
 protected:
  MpiReceiver make(Flow flow) const {
    ChannelSpec spec;
    spec.flow = flow;
    return {spec, wire_};
  }
  static void deliver(MpiReceiver& receiver, const Pieces& pieces) {
    for (const auto& tensor : pieces.tensors) {
      receiver.takeTensor(tensor);
    }
    receiver.take(pieces.message);
  }
  static void complete(const Pieces& pieces) {
    pieces.message->ready = true;
    for (const auto& tensor : pieces.tensors) {
      tensor->ready = true;
    }
  }
  static void expectTaken(MpiReceiver& receiver, float value) {
    Message message;
    ASSERT_TRUE(receiver.tryReceive(message));
    ASSERT_EQ(message.parts.tensors.size(), 3U);
    EXPECT_TRUE(at::equal(message.parts.tensors[0], at::full({1000}, value)));
    EXPECT_TRUE(at::equal(message.parts.tensors[2], at::full({2000}, value)));
  }

  LinkHolder wire_ = std::make_shared<Wire>();  // without a link: receipts go nowhere
  Message got_;
};

TEST_F(MpiReceiverTest, AMessageIsThereOnceAllOfItIs) {
  for (int last = 0; last < 3; ++last) {
    MpiReceiver receiver = make(Flow::ordered);
    const Pieces pieces(3);
    deliver(receiver, pieces);
    for (int i = 1; i <= 3; ++i) {
      EXPECT_EQ(receiver.waiting(), 0);
      EXPECT_FALSE(receiver.tryReceive(got_));
      EXPECT_FALSE(receiver.ended());
      const int next = (last + i) % 3;
      (next == 2 ? pieces.message : pieces.tensors[static_cast<size_t>(next)])->ready = true;
    }
    EXPECT_EQ(receiver.waiting(), 1);
    expectTaken(receiver, 3);
  }
}

TEST_F(MpiReceiverTest, AFinishedOneWaitsForTheOneBefore) {
  MpiReceiver receiver = make(Flow::ordered);
  const Pieces first(1), second(2);
  deliver(receiver, first);
  deliver(receiver, second);
  complete(second);
  EXPECT_FALSE(receiver.tryReceive(got_));
  complete(first);
  expectTaken(receiver, 1);
  expectTaken(receiver, 2);
}

TEST_F(MpiReceiverTest, WhatADeadProducerLeftUnfinishedNeverArrives) {
  for (const bool is_laid_out : {false, true}) {
    MpiReceiver receiver = make(Flow::ordered);
    const Pieces whole(1), broken(2);
    deliver(receiver, whole);
    complete(whole);
    receiver.takeTensor(broken.tensors[0]);
    broken.tensors[0]->ready = true;
    if (is_laid_out) {
      receiver.takeTensor(broken.tensors[1]);
      receiver.take(broken.message);
      broken.message->ready = true;
    }
    receiver.peerDied();
    EXPECT_FALSE(receiver.ended());
    expectTaken(receiver, 1);
    EXPECT_FALSE(receiver.tryReceive(got_));
    EXPECT_TRUE(receiver.ended());
  }
}

TEST_F(MpiReceiverTest, ProducerThatClosesEndsBehindTheLastTensor) {
  MpiReceiver receiver = make(Flow::ordered);
  const Pieces last(5);
  deliver(receiver, last);
  receiver.take(std::make_shared<Incoming>(Incoming{std::make_shared<Buffer>(0), true}));
  EXPECT_FALSE(receiver.ended());
  complete(last);
  EXPECT_FALSE(receiver.ended());
  expectTaken(receiver, 5);
  EXPECT_TRUE(receiver.ended());
}

TEST_F(MpiReceiverTest, NewestGivesTheLastThatIsWhole) {
  MpiReceiver receiver = make(Flow::newest);
  const Pieces first(1), second(2), third(3);
  for (const Pieces* pieces : {&first, &second, &third}) {
    deliver(receiver, *pieces);
  }
  complete(first);
  complete(second);
  third.message->ready = true;
  EXPECT_EQ(receiver.waiting(), 1);
  expectTaken(receiver, 2);
  EXPECT_FALSE(receiver.tryReceive(got_));
  complete(third);
  expectTaken(receiver, 3);
}

TEST_F(MpiReceiverTest, AConsumerThatClosesLetsGoOfEverything) {
  MpiReceiver receiver = make(Flow::ordered);
  const Pieces whole(1), begun(2);
  deliver(receiver, whole);
  complete(whole);
  receiver.takeTensor(begun.tensors[0]);
  receiver.close();
  receiver.takeTensor(begun.tensors[1]);
  receiver.take(begun.message);
  receiver.pump();
  EXPECT_FALSE(receiver.tryReceive(got_));
  for (const auto& incoming : {whole.message, begun.message, begun.tensors[0], begun.tensors[1]}) {
    EXPECT_EQ(incoming.use_count(), 2) << "the test's own and this loop's";
  }
}

}  // namespace
}  // namespace fdg::transport
