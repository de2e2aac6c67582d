// The control block of a ring in shared memory. Who writes a word is said beside it; words of
// different writers lie on different cache lines, and each end keeps what it wrote itself in
// private memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/transport/Copying.h"

namespace fdg::transport {

constexpr size_t kMostSlots = 64;
/// Slots beyond the window: so many messages may be lent out without a message being copied.
constexpr size_t kLendable = 2;

/// Up to this size a whole image lies in its entry, and its slot is not touched: what announces it
/// brings it along.
constexpr size_t kInEntry = 216;

/// A published piece. Written by the producer, before `sequence`.
struct alignas(256) RingEntry {
  std::atomic<uint64_t> sequence;  ///< 1 + the how-manieth piece; 0: none yet.
  uint64_t slot;
  uint64_t length;  ///< Bytes in the slot, or in the entry.
  uint64_t begin;   ///< Their place in the image.
  uint64_t image;   ///< Size of the whole image.
  std::byte data[kInEntry];

  bool holdsData() const { return length == image && length <= kInEntry; }
};
static_assert(sizeof(RingEntry) == 256);

struct RingControl {
  // Written by the producer.
  alignas(
      64) std::atomic<uint32_t> wants;  ///< It waits for a credit or slot; cleared by who rings it.
  std::atomic<uint32_t> producer_closed;
  // Written by the consumer, once.
  alignas(64) std::atomic<uint32_t> consumer_closed;
  // Written by the consumer with every message.
  alignas(64) std::atomic<uint64_t> taken;  ///< Messages.
  std::atomic<uint32_t> freed[kMostSlots];  ///< How often each slot was freed.
  RingEntry entries[kMostSlots];            ///< As many as there are slots.
};

}  // namespace fdg::transport
