// Buffers that are used again and again: they only ever grow.
#pragma once

#include <cstdint>
#include <vector>

namespace fdg::rl {

inline void grow(std::vector<float>& buffer, int64_t size) {
  if (static_cast<int64_t>(buffer.size()) < size) {
    buffer.resize(static_cast<size_t>(size));
  }
}

}  // namespace fdg::rl
