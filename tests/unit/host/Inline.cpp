// mode: inline at the ports: senders run the block, as far as the receiver lets them.
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "tests/unit/host/Exchange.h"

namespace fdg::host {
namespace {

place::Placement inlined(int64_t producers) {
  place::Placement placement = placed(producers, 1);
  placement.boundaries[0].mode = place::Mode::inline_call;
  placement.boundaries[0].behind = 2;
  placement.boundaries[0].ahead = 1;
  return placement;
}

TEST(Inline, TheSenderRunsTheBlock) {
  Exchange exchange(OperationKind::append, inlined(1));
  std::vector<int64_t> sizes;
  const std::function<void(Box&)> block = [&](Box& box) {
    sizes.push_back(std::get<0>(box.get<Rowed>()).size(0));
  };
  ReceivePort& receiver = exchange.receiver(0);
  EXPECT_EQ(receiver.drain(opsOf<Rowed>(), -1, block), 0);
  EXPECT_FALSE(exchange.send(0, at::zeros({3}), 0)) << "its state may not be there yet";
  EXPECT_EQ(receiver.drain(opsOf<Rowed>(), 0, block), 0);
  EXPECT_TRUE(exchange.send(0, at::zeros({3}), 0));
  EXPECT_TRUE(exchange.send(0, at::zeros({4}), 2));
  EXPECT_EQ(sizes, (std::vector<int64_t>{3, 4}));
  EXPECT_FALSE(exchange.send(0, at::zeros({5}), 3)) << "behind: 2";
  EXPECT_EQ(receiver.drain(opsOf<Rowed>(), 1, block), 2);
  EXPECT_TRUE(exchange.send(0, at::zeros({5}), 3));
  EXPECT_EQ(receiver.drain(opsOf<Rowed>(), 1, block), 1);
  EXPECT_TRUE(receiver.mayStart(5)) << "ahead: 1";
  EXPECT_FALSE(receiver.mayStart(6));
  receiver.stopServing();
  EXPECT_FALSE(exchange.send(0, at::zeros({6}), 3));
  exchange.sender(0).close();
  EXPECT_TRUE(receiver.dry());
  EXPECT_TRUE(receiver.mayStart(100));
  EXPECT_EQ(sizes, (std::vector<int64_t>{3, 4, 5}));
}

TEST(Inline, HowFarTheProducersCameIsKept) {
  value::Parts saved;
  Archive saver = Archive::saver(saved);
  const std::function<void(Box&)> block = [](Box&) {};
  {
    Exchange exchange(OperationKind::append, inlined(1));
    exchange.receiver(0).drain(opsOf<Rowed>(), 10, block);
    ASSERT_TRUE(exchange.send(0, at::zeros({3}), 12));
    exchange.receiver(0).stopServing();
    exchange.receiver(0).archive(saver);
  }
  Archive loader = Archive::restorer(saved);
  Exchange exchange(OperationKind::append, inlined(1));
  exchange.receiver(0).archive(loader);
  EXPECT_TRUE(exchange.receiver(0).mayStart(14));
  EXPECT_FALSE(exchange.receiver(0).mayStart(15));
}

TEST(Inline, AFailureNamesTheBoundary) {
  Exchange exchange(OperationKind::append, inlined(1));
  const std::function<void(Box&)> block = [](Box&) { throw std::runtime_error("out of order"); };
  exchange.receiver(0).drain(opsOf<Rowed>(), 0, block);
  try {
    exchange.send(0, at::zeros({3}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "line 7: value, called inline: out of order");
  }
}

/// Two threads call while a third makes checkpoints of what they write.
TEST(Inline, NothingIsCalledWhileACheckpointIsMade) {
  constexpr int64_t kMessages = 2000;
  const Manifest manifest = twoFragments(OperationKind::append);
  place::Placement placement = inlined(2);
  placement.boundaries[0].behind = -1;
  for (place::Instance& instance : placement.instances) {
    instance.rank = (instance.id + 1) % 3;
  }
  const Topology topology = layOut(manifest, placement);
  const auto transports = transport::makeThreadTransports(3);
  std::vector<std::thread> senders;
  for (size_t i = 0; i < 2; ++i) {
    senders.emplace_back([&, i] {
      transport::Transport& transport = *transports[i + 1];
      SendPort port(manifest.boundaries[0], placement.boundaries[0], topology.boundaries[0],
                    topology.endpoints[i], transport);
      transport.connect();
      for (int64_t sent = 0; sent < kMessages;) {
        Box value = Box::of(Rowed(at::ones({1})));
        if (port.trySend(value, sent, 1, false)) {
          ++sent;
        } else {
          transport.waitForActivity(std::chrono::minutes(10));
        }
      }
      port.close();
    });
  }
  ReceivePort port(manifest.boundaries[0], placement.boundaries[0], topology.boundaries[0],
                   topology.endpoints[2], *transports[0]);
  transports[0]->connect();
  std::mutex of_component;
  int64_t component = 0;
  const std::function<void(Box&)> block = [&](Box&) {
    const std::lock_guard hold(of_component);
    ++component;
  };
  for (int64_t iteration = 0; !port.dry(); ++iteration) {
    port.drain(opsOf<Rowed>(), iteration, block);
    if (iteration % 2 == 1) {
      port.stopServing();
      ASSERT_EQ(component, port.counters().messages);  // without its lock
    } else {
      std::this_thread::yield();
    }
  }
  for (std::thread& sender : senders) {
    sender.join();
  }
  port.stopServing();
  EXPECT_EQ(component, 2 * kMessages);
  EXPECT_EQ(port.counters().messages, 2 * kMessages);
}

}  // namespace
}  // namespace fdg::host
