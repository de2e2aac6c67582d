// Newest channels over shared memory: four slots and a version.
//
// The producer writes each version into the next slot and never waits. The consumer copies the
// latest one out and then looks whether the slot was rewritten meanwhile; if so it starts again
// with the version that is the latest by then. With four slots that takes a producer that writes
// three times during one copy; with three, one that writes without a pause does so now and then, and a
// read takes half as long again. What was copied is never torn; a view of a slot would never be
// safe. Memory: four times the largest message.
#pragma once

#include "runtime/transport/Ends.h"
#include "runtime/transport/SharedPort.h"

namespace fdg::transport {

constexpr size_t kNewestSlots = 4;
size_t newestControlBytes();

class NewestSender : public SenderEnd {
 public:
  virtual void attach(SharedPort port, size_t first_commit) = 0;
};

class NewestReceiver : public ReceiverEnd {
 public:
  virtual void attach(SharedPort port) = 0;
};

std::shared_ptr<NewestSender> makeNewestSender(const ChannelSpec& spec);
std::shared_ptr<NewestReceiver> makeNewestReceiver(const ChannelSpec& spec, Activity activity);

}  // namespace fdg::transport
