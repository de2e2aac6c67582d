// Ordered channels over shared memory: a ring of slots.
//
// The producer writes a message into a free slot, or if it is small into the entry itself, and publishes
// the entry; entries are taken in order, slots are freed in any order. A received tensor is a view of its slot and frees it when
// the last of its message goes, from any thread. Lending never takes the slots that the window
// needs: the receiver then copies. So a receiver that keeps everything never stops its producer. A
// credit is spent until the message is taken. A message larger than a slot goes in pieces through
// several, copied on both sides; it waits in the producer's process, at most `window` of them.
#pragma once

#include "runtime/transport/Ends.h"
#include "runtime/transport/SharedPort.h"

namespace fdg::transport {

/// Slots of a ring with this window, and the size of its control block.
size_t ringSlots(int window);
size_t ringControlBytes(int window);

class RingSender : public SenderEnd {
 public:
  /// `first_commit`: bytes of each slot that are real memory already.
  virtual void attach(SharedPort port, size_t first_commit) = 0;
};

class RingReceiver : public ReceiverEnd {
 public:
  virtual void attach(SharedPort port) = 0;
};

std::shared_ptr<RingSender> makeRingSender(const ChannelSpec& spec);
std::shared_ptr<RingReceiver> makeRingReceiver(const ChannelSpec& spec);

}  // namespace fdg::transport
