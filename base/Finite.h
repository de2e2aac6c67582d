// Numbers → whether all are finite, without branches, so that it runs at the speed of memory.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

namespace fdg {

/// As wide as the numbers, so that lanes fit.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

/// Its exponent's bits are all set: NaN or infinite.
template <class T>
constexpr bool isNotFinite(T number) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  constexpr auto kExponent = static_cast<BitsOf<T>>(sizeof(T) == 4 ? 0x7F800000u : 0x7FF0000000000000u);
  return (std::bit_cast<BitsOf<T>>(number) & kExponent) == kExponent;
}

template <class T>
bool allFinite(std::span<const T> numbers) {
  BitsOf<T> found = 0;
  for (const T number : numbers) {
    found |= isNotFinite(number) ? 1 : 0;
  }
  return found == 0;
}

}  // namespace fdg
