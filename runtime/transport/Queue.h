// Channels between the threads of one process: bounded queues, from one thread to another.
//
// One carrier for all threads. What is sent is set apart first (Apart.h), so that no tensor is
// reached from two threads; then handles move, and nothing is packed. An end belongs to one thread;
// opening may be done by several at a time. Cost: two uncontended locks a message, a wake-up if the
// other side sleeps, and the copy.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/transport/Calls.h"
#include "runtime/transport/Doorbell.h"

namespace fdg::transport {

/// One for each thread.
using Bells = std::vector<Doorbell>;

class QueueCarrier {
 public:
  explicit QueueCarrier(std::shared_ptr<Bells> bells)
      : bells_(bells), calls_([bells](int rank) { (*bells)[static_cast<size_t>(rank)].ring(); }) {}

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec);
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec);
  /// When all threads have opened theirs: aborts, naming a channel of which only one end was.
  void check() const;

 private:
  struct Queue;
  class QueueSender;
  class QueueReceiver;

  std::shared_ptr<Queue> queueFor(const ChannelSpec& spec, bool sender);

  std::shared_ptr<Bells> bells_;
  mutable std::mutex opening_;
  HalfOpen<Queue> half_open_;
  CallCarrier calls_;
};

}  // namespace fdg::transport
