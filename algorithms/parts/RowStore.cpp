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

}  // namespace fdg::rl
