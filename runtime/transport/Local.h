// Channels between instances of one rank: the value moves, nothing is packed or copied.
//
// One thread: that of the rank. Cost: a few nanoseconds for a message.
#pragma once

#include "runtime/transport/Calls.h"

namespace fdg::transport {

class LocalCarrier {
 public:
  explicit LocalCarrier(Activity activity)
      : activity_(activity), calls_([activity](int /*rank*/) { ++*activity; }) {}

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec);
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec);
  /// Aborts, naming a channel of which only one end was opened.
  void connect() const;

 private:
  struct Queue;
  std::shared_ptr<Queue> queueFor(const ChannelSpec& spec, bool sender);

  Activity activity_;
  HalfOpen<Queue> half_open_;
  CallCarrier calls_;

  class LocalSender;
  class LocalReceiver;
};

}  // namespace fdg::transport
