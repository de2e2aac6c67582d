// Philox 4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy
// as 1, 2, 3" (SC 2011). Four 32-bit words from a 128-bit counter and a 64-bit key, with no state
// between calls: the n-th draw of a row is the same wherever it is made. Pure; any thread; about 10
// ns a block.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fdg {

using PhiloxBlock = std::array<uint32_t, 4>;

PhiloxBlock philox(uint64_t key, uint64_t counter_high, uint64_t counter_low);

/// 64 bits that depend on every byte of `text` and on `seed` (FNV-1a, then a finalising mix).
uint64_t hashName(uint64_t seed, std::string_view text);

}  // namespace fdg
