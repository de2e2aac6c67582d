// Called channels: the consumer lends its producer a handler, and a message is dealt with at its
// send, in the producer's thread. Nothing is queued, packed or copied.
//
// Between two threads of a process or within one. The handler runs with the channel's lock held, so
// for one message at a time, and `serve` and `close` of the consumer return when it does not run;
// handlers of different channels run at the same time. It must not use its own channel. Cost: an
// uncontended lock a message, and a wake-up if the other side sleeps.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "runtime/transport/HalfOpen.h"

namespace fdg::transport {

class CallCarrier {
 public:
  /// `wake`: there is something new for that rank.
  explicit CallCarrier(std::function<void(int rank)> wake) : wake_(std::move(wake)) {}

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec);
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec);
  /// When all ends should be there: aborts, naming a channel of which only one was opened.
  void check() const;

 private:
  struct Call;
  class CallSender;
  class CallReceiver;

  std::shared_ptr<Call> callFor(const ChannelSpec& spec, bool sender);

  std::function<void(int rank)> wake_;
  mutable std::mutex opening_;
  HalfOpen<Call> half_open_;
};

}  // namespace fdg::transport
