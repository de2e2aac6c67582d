#include "algorithms/parts/RowStore.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace fdg::rl {
namespace {

std::array<torch::Tensor*, 5> fieldsOf(Transitions& t) {
  return {&t.observation, &t.action, &t.reward, &t.next_observation, &t.discount};
}
std::array<const torch::Tensor*, 5> fieldsOf(const Transitions& t) {
  return {&t.observation, &t.action, &t.reward, &t.next_observation, &t.discount};
}

size_t rowSize(const torch::Tensor& t) {
  int64_t elements = 1;
  for (const int64_t size : t.sizes().slice(1)) {
    elements *= size;
  }
  return static_cast<size_t>(elements) * t.element_size();
}

void checkRows(const torch::Tensor& rows, const torch::Tensor& store, int64_t count) {
  if (!rows.defined() || rows.dim() != store.dim() || rows.size(0) != count ||
      rows.scalar_type() != store.scalar_type() ||
      rows.sizes().slice(1) != store.sizes().slice(1)) {
    throw UserError(
        "transitions do not fit the replay: every field needs one row per transition, with the "
        "shape and type that the environment's spec says");
  }
}

}  // namespace

RowStore::RowStore(const EnvSpec& spec, int64_t capacity)
    : capacity_(capacity), generations_(static_cast<size_t>(std::max<int64_t>(capacity, 0))) {
  if (capacity < 1) {
    throw UserError("a replay needs a capacity of at least 1, not " + std::to_string(capacity));
  }
  std::vector<int64_t> observation = {capacity};
  observation.insert(observation.end(), spec.observation_shape.begin(),
                     spec.observation_shape.end());
  rows_.observation = torch::zeros(observation, torch::kFloat32);
  rows_.next_observation = torch::zeros(observation, torch::kFloat32);
  rows_.action = spec.discrete ? torch::zeros({capacity}, torch::kInt64)
                               : torch::zeros({capacity, spec.actions}, torch::kFloat32);
  rows_.reward = torch::zeros({capacity}, torch::kFloat32);
  rows_.discount = torch::zeros({capacity}, torch::kFloat32);
}

int64_t RowStore::add(const Transitions& transitions) {
  const int64_t count = transitions.reward.size(0);
  if (count > capacity_) {
    throw UserError(std::to_string(count) + " transitions at once do not fit a replay of " +
                    std::to_string(capacity_));
  }
  const auto from = fieldsOf(transitions);
  const auto to = fieldsOf(rows_);
  for (size_t f = 0; f < to.size(); ++f) {
    checkRows(*from[f], *to[f], count);
  }
  const int64_t until_end = std::min(count, capacity_ - next_);
  for (size_t f = 0; f < to.size(); ++f) {
    const torch::Tensor rows = from[f]->contiguous();
    const auto size = rowSize(*to[f]);
    const auto* source = static_cast<const char*>(rows.const_data_ptr());
    auto* ring = static_cast<char*>(to[f]->mutable_data_ptr());
    std::memcpy(ring + static_cast<size_t>(next_) * size, source,
                static_cast<size_t>(until_end) * size);
    std::memcpy(ring, source + static_cast<size_t>(until_end) * size,
                static_cast<size_t>(count - until_end) * size);
  }
  const int64_t first = next_;
  for (int64_t i = 0; i < count; ++i) {
    ++generations_[static_cast<size_t>((first + i) % capacity_)];
  }
  next_ = (first + count) % capacity_;
  size_ = std::min(size_ + count, capacity_);
  return first;
}

Transitions RowStore::gather(const std::vector<int64_t>& slots) const {
  Transitions out;
  const auto from = fieldsOf(rows_);
  const auto to = fieldsOf(out);
  for (size_t f = 0; f < from.size(); ++f) {
    auto sizes = from[f]->sizes().vec();
    sizes.front() = static_cast<int64_t>(slots.size());
    *to[f] = torch::empty(sizes, from[f]->scalar_type());
    const auto size = rowSize(*from[f]);
    const auto* ring = static_cast<const char*>(from[f]->const_data_ptr());
    auto* target = static_cast<char*>(to[f]->mutable_data_ptr());
    for (const int64_t slot : slots) {
      std::memcpy(target, ring + static_cast<size_t>(slot) * size, size);
      target += size;
    }
  }
  return out;
}

torch::Tensor integers(const std::vector<int64_t>& values) {
  auto t = torch::empty({static_cast<int64_t>(values.size())}, torch::kInt64);
  std::ranges::copy(values, t.data_ptr<int64_t>());
  return t;
}

}  // namespace fdg::rl
