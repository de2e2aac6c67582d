// The two ends of a channel over a Link. The carrier connects them and hands them what arrives.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "runtime/transport/Ends.h"
#include "runtime/transport/Link.h"

namespace fdg::transport {

/// What a consumer tells its producer.
struct Receipt {
  uint64_t taken = 0;   ///< Messages, since the channel was opened.
  uint64_t closed = 0;  ///< 1: send no more.
};

/// A receipt behind a small message that goes to the same rank: one MPI message instead of two.
struct Rider {
  Receipt receipt;
  int64_t end = 0;  ///< The producer's.
};

/// What a tag says: a message to a consumer's end (an empty one is the producer's close), one with
/// a rider behind it, a large tensor of the message that comes next, or a receipt to a producer's
/// end.
enum class Carries : int { message, message_and_rider, tensor, receipt };
constexpr int kKinds = 4;
constexpr int tagOf(Carries what, int end) { return kKinds * end + static_cast<int>(what); }

/// What ends hold: null links once the carrier is gone.
struct Wire {
  Link* link = nullptr;
  /// The receipt of an end here that one at that rank waits for, taken away.
  std::function<std::optional<Rider>(int rank)> takeRider;
};
using LinkHolder = std::shared_ptr<Wire>;

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
  void take(std::shared_ptr<Incoming> message);
  void takeTensor(std::shared_ptr<Incoming> tensor) { tensors_.push_back(std::move(tensor)); }

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
  /// What flush() would send, for a message that goes there anyway.
  std::optional<Rider> takeRider();

  const ChannelSpec& spec() const { return spec_; }

 private:
  struct Arrived {
    std::shared_ptr<Incoming> message;
    std::vector<std::shared_ptr<Incoming>> tensors;  // its large ones
    bool isReady() const;
    bool isClose() const { return message->buffer->size() == 0; }
  };
  void dropSuperseded();
  bool owes() const { return !closed_ && spec_.flow == Flow::ordered && taken_ > told_; }
  void sendReceipt();

  ChannelSpec spec_;
  LinkHolder link_;
  int peer_end_ = -1;
  std::deque<Arrived> arrived_;
  std::vector<std::shared_ptr<Incoming>> tensors_;  // of a message that is not here yet
  uint64_t taken_ = 0;
  uint64_t told_ = 0;
  uint64_t acknowledged_ = 0;  // newest only: messages that were ready
  bool closed_ = false;
  bool producer_died_ = false;
};

}  // namespace fdg::transport
