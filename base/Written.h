// Lines → how far a file that only grows has been written, and a checksum of that: whether its
// beginning is still the same can be found out later. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/Seal.h"

namespace fdg {

struct Written {
  int64_t lines = 0;
  int64_t bytes = 0;
  uint64_t hash = kHashOfNothing;

  /// Its line feed included.
  void add(std::string_view line) {
    ++lines;
    bytes += static_cast<int64_t>(line.size());
    hash = hashOf(line, hash);
  }
  bool operator==(const Written&) const = default;
};

}  // namespace fdg
