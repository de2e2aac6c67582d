// FrameStore: frames of one size → numbers, each different frame kept once.
//
// A frame is found again by a hash of its bytes and then compared, so it makes no difference which
// environment, episode or stack it comes from, and what comes out is what went in, bit for bit. A
// frame goes when nobody holds its number any more. Memory is taken at construction: pages that
// were never written cost nothing. Any thread; what holds a lock is short, hashing, comparing and
// copying are done without. About 1 µs for a frame of 84 × 84 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "algorithms/parts/ReplayState.h"
#include "algorithms/parts/RowRecords.h"

namespace fdg::rl {

/// Of equal bytes equal. It need not be hard to fool: whoever uses it compares what it finds.
uint64_t hashOf(const std::byte* bytes, size_t count);

class FrameStore {
 public:
  /// A frame's number; 0 is none.
  using Number = uint32_t;

  /// frames ≥ 1, at most 2^31.
  FrameStore(size_t frame_bytes, int64_t frames);

  /// Sets room for so many new frames aside, if there is; give what was not used back.
  bool claim(int64_t frames);
  void giveBack(int64_t frames);
  /// The number of a frame, to be held once more. Takes `claimed` down if it had to be stored;
  /// claimed ≥ 1.
  Number hold(const std::byte* frame, int64_t& claimed);
  /// Once more for each of these, which are held.
  void holdAgain(std::span<const Number> numbers);
  void release(std::span<const Number> numbers);
  const std::byte* frame(Number number) const { return bytes_.get() + number * frame_bytes_; }
  size_t frameBytes() const { return frame_bytes_; }
  /// Bytes when all frames are in use.
  size_t memory() const;
  /// Different frames held.
  int64_t size() const;
  int64_t capacity() const { return static_cast<int64_t>(holders_.size()) - 1; }

  /// The frames that were ever used, to save and restore; nobody else may be at work.
  SharedBytes usedBytes() const;
  FrameState state() const;
  /// Throws UserError if a state, the bytes of its frames and how often each number is held in the
  /// rows do not belong to one store like this.
  void check(const FrameState& state, std::span<const std::byte> frames,
             std::span<const uint32_t> holders) const;
  /// What has been checked.
  void restore(FrameState state, std::span<const std::byte> frames,
               std::span<const uint32_t> holders);

 private:
  Number find(uint64_t hash) const;
  void insert(Number number);
  void erase(Number number);
  void rebuildTable();

  size_t frame_bytes_;
  std::shared_ptr<std::byte> bytes_;
  std::vector<uint32_t> holders_;  // by number
  std::vector<uint64_t> hashes_;   // by number
  uint32_t used_ = 1;              // numbers from here on were never given out
  std::vector<Number> free_;
  int64_t unclaimed_;
  std::vector<Number> table_;  // open addressing, linear probing
  mutable std::mutex mutex_;
};

}  // namespace fdg::rl
