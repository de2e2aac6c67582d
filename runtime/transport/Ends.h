// What the transport sees of a channel's end, whatever carries it, and the handles it gives to the
// host.
//
// An end is shared between its handle and the transport: a handle that is destroyed closes its end,
// and the transport goes on to drive what is still under way (a large message in pieces, a close).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/transport/Channel.h"

namespace fdg::transport {

/// Names a channel. The same on both ends.
struct ChannelKey {
  int32_t boundary = 0;
  int32_t producer = 0;
  int32_t consumer = 0;

  auto operator<=>(const ChannelKey&) const = default;
};

inline ChannelKey keyOf(const ChannelSpec& spec) {
  return {spec.boundary, spec.producer, spec.consumer};
}

/// "boundary 3 from instance 0 to instance 2", for messages.
std::string describe(const ChannelKey& key);

/// Counts what happened on this rank that its fragments may want to look at.
using Activity = std::shared_ptr<uint64_t>;

class Driven {
 public:
  virtual ~Driven() = default;
  /// Moves what can be moved; true if anything did.
  virtual bool pump() = 0;
  /// Nothing is waiting on this side to be handed to the carrier.
  virtual bool idle() const = 0;
  virtual void shut() = 0;
  /// The other end's rank is dead: as if it had closed after what is already here.
  virtual void peerDied() = 0;
};

class SenderEnd : public Sender, public Driven {
 public:
  void shut() override { close(); }
};

class ReceiverEnd : public Receiver, public Driven {
 public:
  void shut() override { close(); }
};

class SenderHandle final : public Sender {
 public:
  explicit SenderHandle(std::shared_ptr<Sender> end) : end_(std::move(end)) {}
  ~SenderHandle() override { end_->close(); }
  bool passesValues() const override { return end_->passesValues(); }
  bool trySend(Message& message) override { return end_->trySend(message); }
  void close() override { end_->close(); }
  bool consumerClosed() const override { return end_->consumerClosed(); }

 private:
  std::shared_ptr<Sender> end_;
};

class ReceiverHandle final : public Receiver {
 public:
  explicit ReceiverHandle(std::shared_ptr<Receiver> end) : end_(std::move(end)) {}
  ~ReceiverHandle() override { end_->close(); }
  bool tryReceive(Message& message) override { return end_->tryReceive(message); }
  bool ended() const override { return end_->ended(); }
  void close() override { end_->close(); }
  int64_t waiting() const override { return end_->waiting(); }

 private:
  std::shared_ptr<Receiver> end_;
};

}  // namespace fdg::transport
