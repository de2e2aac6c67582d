// The two ends of a channel over a Link. The carrier connects them and hands them what arrives.
#pragma once

#include <deque>
#include <optional>

#include "runtime/transport/Ends.h"
#include "runtime/transport/Link.h"

namespace fdg::transport {

/// What a consumer tells its producer.
struct Receipt {
  uint64_t taken = 0;   ///< Messages, since the channel was opened.
  uint64_t closed = 0;  ///< 1: send no more.
};

/// Even tags carry messages to a consumer's end, odd ones receipts to a producer's end; an empty
/// message is the producer's close.
constexpr int messageTag(int end) { return 2 * end; }
constexpr int receiptTag(int end) { return 2 * end + 1; }

using LinkHolder = std::shared_ptr<Link*>;

class MpiSender final : public SenderEnd {
 public:
  MpiSender(const ChannelSpec& spec, LinkHolder link) : spec_(spec), link_(std::move(link)) {}

  /// `peer_end` is the index of the other end at its rank.
  void attach(int peer_end) { peer_end_ = peer_end; }
  void take(const Receipt& receipt);

  bool passesValues() const override { return false; }
  bool trySend(Message& message) override;
  void close() override;
  bool consumerClosed() const override { return consumer_closed_; }
  bool pump() override { return false; }
  bool idle() const override { return !next_; }
  void peerDied() override { take({sent_, 1}); }

  const ChannelSpec& spec() const { return spec_; }

 private:
  bool mayStart() const;
  void start(const Message& message);
  void sendClose();

  ChannelSpec spec_;
  LinkHolder link_;
  int peer_end_ = -1;
  uint64_t sent_ = 0;
  uint64_t taken_ = 0;
  std::optional<Message> next_;  // newest only: waits for the one under way
  Image image_;
  bool closed_ = false;
  bool consumer_closed_ = false;
};

class MpiReceiver final : public ReceiverEnd {
 public:
  MpiReceiver(const ChannelSpec& spec, LinkHolder link) : spec_(spec), link_(std::move(link)) {}

  void attach(int peer_end) { peer_end_ = peer_end; }
  void take(std::shared_ptr<Incoming> incoming) { arrived_.push_back(std::move(incoming)); }

  bool tryReceive(Message& message) override;
  bool ended() const override;
  void close() override;
  int64_t waiting() const override;
  /// Drops superseded newest messages and sends the receipts that are due.
  bool pump() override;
  bool idle() const override { return true; }
  void peerDied() override { producer_died_ = true; }
  /// Sends what pump() holds back to send fewer receipts.
  void flush();

  const ChannelSpec& spec() const { return spec_; }

 private:
  bool isClose(const Incoming& incoming) const { return incoming.buffer->size() == 0; }
  void dropSuperseded();
  void sendReceipt();

  ChannelSpec spec_;
  LinkHolder link_;
  int peer_end_ = -1;
  std::deque<std::shared_ptr<Incoming>> arrived_;
  uint64_t taken_ = 0;
  uint64_t told_ = 0;
  uint64_t acknowledged_ = 0;  // newest only: messages that were ready
  bool closed_ = false;
  bool producer_died_ = false;
};

}  // namespace fdg::transport
