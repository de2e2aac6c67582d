#include "algorithms/parts/SlotRing.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace fdg::rl {

SlotRing::SlotRing(int64_t capacity) : generations_(static_cast<size_t>(capacity)) {}

bool SlotRing::overlap(SlotRange a, SlotRange b) const {
  return distance(a.first, b.first) < a.count || distance(b.first, a.first) < b.count;
}

void SlotRing::waitForNext(Lock& lock, int64_t count) {
  changed_.wait(lock, [&] {
    const SlotRange next = {after(oldest_, taken_), count};
    return std::ranges::none_of(writers_, [&](SlotRange other) { return overlap(next, other); });
  });
}

SlotRange SlotRing::take(int64_t count) {
  const SlotRange range = {after(oldest_, taken_), count};
  const int64_t overwritten = std::max<int64_t>(0, taken_ + count - capacity());
  oldest_ = after(oldest_, overwritten);
  taken_ += count - overwritten;
  for (int64_t i = 0; i < count; ++i) {
    int64_t& generation = generations_[static_cast<size_t>(after(range.first, i))];
    whole_ -= generation > 0 ? 1 : 0;
    generation = -(std::abs(generation) + 1);
  }
  writers_.push_back(range);
  return range;
}

SlotRange SlotRing::takeOldest(int64_t count) {
  SlotRange range = {oldest_, std::min(count, taken_)};
  for (const SlotRange& other : writers_) {
    const int64_t whole_before = distance(oldest_, other.first);
    if (whole_before < taken_) {
      range.count = std::min(range.count, whole_before);
    }
  }
  oldest_ = after(oldest_, range.count);
  taken_ -= range.count;
  whole_ -= range.count;
  for (int64_t i = 0; i < range.count; ++i) {
    int64_t& generation = generations_[static_cast<size_t>(after(range.first, i))];
    generation = -generation;
  }
  writers_.push_back(range);
  return range;
}

void SlotRing::waitForReaders(Lock& lock, SlotRange range) {
  const auto inside = [&](int64_t slot) { return distance(range.first, slot) < range.count; };
  changed_.wait(lock, [&] {
    return std::ranges::none_of(readers_, [&](std::span<const int64_t> slots) {
      return std::ranges::any_of(slots, inside);
    });
  });
}

void SlotRing::finish(SlotRange range, bool whole) {
  if (whole) {
    for (int64_t i = 0; i < range.count; ++i) {
      int64_t& generation = generations_[static_cast<size_t>(after(range.first, i))];
      generation = -generation;
    }
    whole_ += range.count;
  }
  const auto mine = std::ranges::find_if(writers_, [&](SlotRange other) {
    return other.first == range.first && other.count == range.count;
  });
  writers_.erase(mine);
  changed_.notify_all();
}

void SlotRing::waitForWriters(Lock& lock) {
  changed_.wait(lock, [&] { return writers_.empty(); });
}

void SlotRing::endReading(std::span<const int64_t> slots) {
  std::erase_if(readers_,
                [&](std::span<const int64_t> other) { return other.data() == slots.data(); });
  changed_.notify_all();
}

std::vector<int64_t> SlotRing::slotsOf(SlotRange range) const {
  std::vector<int64_t> slots(static_cast<size_t>(range.count));
  for (int64_t i = 0; i < range.count; ++i) {
    slots[static_cast<size_t>(i)] = after(range.first, i);
  }
  return slots;
}

void SlotRing::check(const RingState& state) const {
  checkSaved(state.generations.size() == generations_.size(), "number of generations");
  checkSaved(state.oldest >= 0 && state.oldest < capacity(), "oldest slot");
  checkSaved(state.count >= 0 && state.count <= capacity(), "number of transitions");
  constexpr int64_t kMost = int64_t{1} << 60;  // adds of a slot, far beyond what any run has
  for (int64_t slot = 0; slot < capacity(); ++slot) {
    const int64_t generation = state.generations[static_cast<size_t>(slot)];
    const bool whole = distance(state.oldest, slot) < state.count;
    checkSaved((generation > 0) == whole && generation > -kMost && generation < kMost,
               "generation of slot", slot);
  }
}

void SlotRing::restore(RingState state) {
  generations_ = std::move(state.generations);
  oldest_ = state.oldest;
  taken_ = whole_ = state.count;
}

}  // namespace fdg::rl
