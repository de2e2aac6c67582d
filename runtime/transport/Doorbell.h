// Doorbell: one rank's wake-up word, in memory that all ranks of a node see.
//
// Whoever changes something that a rank may be waiting for (a message, a freed slot, a close) does
// it first and rings then. The rank compares `rings` with what it saw when it last woke, so no ring
// is ever lost. A ring of a rank that is awake is one atomic addition; of a sleeping one, a system
// call more. Only the owner sleeps; any thread of any process may ring.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace fdg::transport {

struct alignas(64) Doorbell {
  std::atomic<uint32_t> rings{0};
  std::atomic<uint32_t> sleeping{0};
  std::atomic<uint32_t> mail{
      0};  ///< Letters posted by ranks of the same node; they come through MPI.

  void ring();
  /// Returns when `rings` is no longer `seen`, after `most`, or on a signal: then false.
  bool sleep(uint32_t seen, std::chrono::microseconds most);
};

static_assert(std::atomic<uint32_t>::is_always_lock_free && sizeof(Doorbell) == 64);

}  // namespace fdg::transport
