#include "algorithms/parts/RowStore.h"

#include <algorithm>
#include <string>

#include "algorithms/parts/Limits.h"

namespace fdg::rl {
namespace {

size_t checkedCapacity(int64_t capacity) {
  Limits().count("capacity", capacity, 1);
  return static_cast<size_t>(capacity);
}

std::vector<size_t> sizesOf(const EnvSpec& spec) {
  std::vector<size_t> sizes;
  for (const RowField& field : transitionFields(spec, /*frames=*/false)) {
    sizes.push_back(field.bytes);
  }
  return sizes;
}

}  // namespace

RowStore::RowStore(const EnvSpec& spec, int64_t capacity)
    : spec_(spec), generations_(checkedCapacity(capacity)), records_(sizesOf(spec), capacity) {}

int64_t RowStore::add(const Transitions& transitions) {
  const Transitions rows = checkedTransitions(spec_, transitions);
  const int64_t count = rows.reward.size(0);
  if (count > capacity()) {
    throw UserError(std::to_string(count) + " transitions at once do not fit a replay of " +
                    std::to_string(capacity()));
  }
  const int64_t first = next_;
  const auto fields = readable(rows);
  for (size_t f = 0; f < fields.size(); ++f) {
    records_.put(f, first, count, fields[f]);
  }
  for (int64_t i = 0; i < count; ++i) {
    ++generations_[static_cast<size_t>((first + i) % capacity())];
  }
  next_ = (first + count) % capacity();
  size_ = std::min(size_ + count, capacity());
  return first;
}

Transitions RowStore::gather(const std::vector<int64_t>& slots) const {
  Transitions out = emptyTransitions(spec_, static_cast<int64_t>(slots.size()));
  records_.gather(slots, writable(out));
  return out;
}

void RowStore::restore(std::span<const std::byte> rows, std::vector<int64_t> generations,
                       int64_t next, int64_t size) {
  const std::span<std::byte> mine = records_.bytes().bytes;
  if (rows.size() != mine.size() || generations.size() != generations_.size()) {
    throw UserError("what was saved is a replay of " + std::to_string(generations.size()) +
                    " transitions in " + std::to_string(rows.size()) + " bytes, but this one has " +
                    std::to_string(capacity()) + " in " + std::to_string(mine.size()) +
                    "; the replay is unchanged");
  }
  checkSaved(size >= 0 && size <= capacity() && next >= 0 && next < capacity() &&
                 (size == capacity() || next == size),
             "number of transitions");
  for (int64_t slot = 0; slot < capacity(); ++slot) {
    const int64_t generation = generations[static_cast<size_t>(slot)];
    checkSaved(slot < size ? generation > 0 : generation == 0, "generation of slot", slot);
  }
  std::ranges::copy(rows, mine.begin());
  generations_ = std::move(generations);
  next_ = next;
  size_ = size;
}

}  // namespace fdg::rl
