#include "algorithms/parts/FrameStore.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace fdg::rl {
namespace {

std::shared_ptr<std::byte> mapped(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice only: refused, it costs time alone
  return {static_cast<std::byte*>(memory), [bytes](std::byte* mine) { munmap(mine, bytes); }};
}

}  // namespace

/// Four lanes of multiplications and rotations.
uint64_t hashOf(const std::byte* bytes, size_t count) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t lanes[4] = {count, kFactor, ~count, ~kFactor};
  const auto mix = [](uint64_t lane, uint64_t word) {
    return std::rotl((lane ^ word) * kFactor, 29);
  };
  size_t at = 0;
  for (; at + sizeof lanes <= count; at += sizeof lanes) {
    uint64_t words[4];
    std::memcpy(words, bytes + at, sizeof words);
    for (int l = 0; l < 4; ++l) {
      lanes[l] = mix(lanes[l], words[l]);
    }
  }
  for (; at < count; ++at) {
    lanes[0] = mix(lanes[0], static_cast<uint64_t>(bytes[at]) + 1);
  }
  uint64_t hash = 0;
  for (const uint64_t lane : lanes) {
    hash = mix(hash, lane);
  }
  return hash ^ hash >> 32;
}

FrameStore::FrameStore(size_t frame_bytes, int64_t frames)
    : frame_bytes_(frame_bytes),
      bytes_(mapped(frame_bytes * static_cast<size_t>(frames + 1))),
      holders_(static_cast<size_t>(frames + 1)),
      hashes_(static_cast<size_t>(frames + 1)),
      unclaimed_(frames),
      table_(std::bit_ceil(static_cast<size_t>(frames) * 2)) {}

bool FrameStore::claim(int64_t frames) {
  const std::lock_guard lock(mutex_);
  if (unclaimed_ < frames) {
    return false;
  }
  unclaimed_ -= frames;
  return true;
}

void FrameStore::giveBack(int64_t frames) {
  const std::lock_guard lock(mutex_);
  unclaimed_ += frames;
}

int64_t FrameStore::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(used_) - 1 - static_cast<int64_t>(free_.size());
}

FrameStore::Number FrameStore::find(uint64_t hash) const {
  const size_t mask = table_.size() - 1;
  for (size_t at = hash & mask; table_[at] != 0; at = (at + 1) & mask) {
    if (hashes_[table_[at]] == hash) {
      return table_[at];
    }
  }
  return 0;
}

void FrameStore::insert(Number number) {
  const size_t mask = table_.size() - 1;
  size_t at = hashes_[number] & mask;
  while (table_[at] != 0) {
    at = (at + 1) & mask;
  }
  table_[at] = number;
}

/// Closes the gap, so that what was pushed on by the entry is found without it.
void FrameStore::erase(Number number) {
  const size_t mask = table_.size() - 1;
  size_t gap = hashes_[number] & mask;
  while (table_[gap] != number) {
    gap = (gap + 1) & mask;
  }
  for (size_t at = (gap + 1) & mask; table_[at] != 0; at = (at + 1) & mask) {
    const size_t home = hashes_[table_[at]] & mask;
    if (((at - home) & mask) >= ((at - gap) & mask)) {
      table_[gap] = table_[at];
      gap = at;
    }
  }
  table_[gap] = 0;
}

FrameStore::Number FrameStore::hold(const std::byte* frame, int64_t& claimed) {
  const uint64_t hash = hashOf(frame, frame_bytes_);
  Number number;
  {
    const std::lock_guard lock(mutex_);
    number = find(hash);
    holders_[number] += number != 0 ? 1 : 0;
  }
  if (number != 0) {
    if (std::memcmp(this->frame(number), frame, frame_bytes_) == 0) {
      return number;
    }
    release({&number, 1});
  }
  {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      number = used_++;
    } else {
      number = free_.back();
      free_.pop_back();
    }
  }
  --claimed;
  std::memcpy(bytes_.get() + number * frame_bytes_, frame, frame_bytes_);
  const std::lock_guard lock(mutex_);
  holders_[number] = 1;
  hashes_[number] = hash;
  insert(number);  // others find it now that it is whole
  return number;
}

void FrameStore::holdAgain(std::span<const Number> numbers) {
  const std::lock_guard lock(mutex_);
  for (const Number number : numbers) {
    ++holders_[number];
  }
}

void FrameStore::release(std::span<const Number> numbers) {
  const std::lock_guard lock(mutex_);
  for (const Number number : numbers) {
    if (number != 0 && --holders_[number] == 0) {
      erase(number);
      free_.push_back(number);
      ++unclaimed_;
    }
  }
}

FrameState FrameStore::state() const {
  const std::lock_guard lock(mutex_);
  return {{hashes_.begin(), hashes_.begin() + used_}, free_};
}

void FrameStore::check(const FrameState& state, std::span<const std::byte> frames,
                       std::span<const uint32_t> holders) const {
  const size_t used = state.hashes.size();
  checkSaved(used >= 1 && used <= holders_.size() && frames.size() == used * frame_bytes_ &&
                 holders.size() <= used,
             "number of frames");
  std::vector<bool> free(used);
  for (const Number number : state.free) {
    checkSaved(number > 0 && number < used && !free[number], "free frame", number);
    free[number] = true;
  }
  for (size_t number = 1; number < used; ++number) {
    const bool held = number < holders.size() && holders[number] > 0;
    const auto which = static_cast<int64_t>(number);
    checkSaved(held != free[number], "holders of frame", which);
    checkSaved(
        !held || hashOf(&frames[number * frame_bytes_], frame_bytes_) == state.hashes[number],
        "frame", which);
  }
}

void FrameStore::restore(FrameState state, std::span<const std::byte> frames,
                         std::span<const uint32_t> holders) {
  const std::lock_guard lock(mutex_);
  std::ranges::copy(holders, holders_.begin());
  std::fill(holders_.begin() + static_cast<int64_t>(holders.size()), holders_.end(), 0);
  std::ranges::copy(state.hashes, hashes_.begin());
  std::ranges::copy(frames, bytes_.get());
  used_ = static_cast<uint32_t>(state.hashes.size());
  free_ = std::move(state.free);
  unclaimed_ = capacity() - (static_cast<int64_t>(used_) - 1 - static_cast<int64_t>(free_.size()));
  rebuildTable();
}

void FrameStore::rebuildTable() {
  table_.assign(table_.size(), 0);
  for (Number number = 1; number < used_; ++number) {
    if (holders_[number] > 0) {
      insert(number);
    }
  }
}

size_t FrameStore::memory() const {
  return holders_.size() * (frame_bytes_ + sizeof holders_[0] + sizeof hashes_[0]) +
         table_.size() * sizeof table_[0];
}

SharedBytes FrameStore::usedBytes() const { return {bytes_, {bytes_.get(), used_ * frame_bytes_}}; }

}  // namespace fdg::rl
