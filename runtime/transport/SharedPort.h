// One end's view of a channel in a shared segment, and the room a channel takes there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/transport/Doorbell.h"
#include "runtime/transport/SharedMemory.h"

namespace fdg::transport {

constexpr size_t kPage = 4096;

inline size_t roundToPage(size_t n) { return (n + kPage - 1) / kPage * kPage; }

/// A control block, then `slots` slots that begin `stride` apart. A slot takes real memory only as
/// far as messages needed it, so a generous stride costs address space and nothing else.
struct ChannelShape {
  size_t offset = 0;   ///< Of the control block in its segment.
  size_t control = 0;  ///< Bytes of the control block, whole pages.
  size_t slots = 0;
  size_t stride = 0;

  size_t bytes() const { return control + slots * stride; }
  /// The place behind this one, around the ring.
  size_t behind(size_t place) const { return place + 1 < slots ? place + 1 : 0; }
};

/// Keeps the mappings alive that it points into.
struct SharedPort {
  std::shared_ptr<SharedMemory> segment;
  std::shared_ptr<void> bells;
  Doorbell* peer = nullptr;  ///< The other end's rank.
  ChannelShape shape;

  template <class Control>
  Control& control() const {
    return *reinterpret_cast<Control*>(segment->data() + shape.offset);
  }
  size_t slotOffset(size_t slot) const {
    return shape.offset + shape.control + slot * shape.stride;
  }
  std::byte* slot(size_t slot) const { return segment->data() + slotOffset(slot); }
};

/// How much of each slot is real memory; the producer's end knows.
class Committed {
 public:
  explicit Committed(size_t slots, size_t first) : bytes_(slots, first) {}

  /// The bytes of `slot` that can be written, after an attempt to make it `wanted`.
  size_t grow(const SharedPort& port, size_t slot, size_t wanted) {
    wanted = std::min(roundToPage(wanted), port.shape.stride);
    if (wanted > bytes_[slot] && port.segment->commit(port.slotOffset(slot), wanted)) {
      bytes_[slot] = wanted;
    }
    return bytes_[slot];
  }

 private:
  std::vector<size_t> bytes_;
};

}  // namespace fdg::transport
