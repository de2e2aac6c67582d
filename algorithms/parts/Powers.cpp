#include "algorithms/parts/Powers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "algorithms/parts/InstructionSet.h"

namespace fdg::rl {
namespace {

constexpr size_t kWidth = 8;
using Lane = double __attribute__((vector_size(64), aligned(8)));
using LaneInt = int64_t __attribute__((vector_size(64), aligned(8)));

/// x = log2 x of positive normal numbers: x = 2^k m with m around 1, and ln m from the series of
/// artanh((m - 1) / (m + 1)).
FDG_INLINE void logarithm(Lane& x) {
  constexpr int64_t kHalfRoot = 0x3fe6a09e667f3bcd;  // √½
  const LaneInt bits = reinterpret_cast<LaneInt>(x);
  const LaneInt power = (bits - kHalfRoot) >> 52;
  const LaneInt mantissa = bits - (power << 52);
  const Lane m = reinterpret_cast<Lane>(mantissa);
  const Lane t = (m - 1.0) / (m + 1.0);
  const Lane square = t * t;
  Lane series = square * (1.0 / 23) + (1.0 / 21);
#pragma unroll
  for (int odd = 19; odd > 0; odd -= 2) {
    series = series * square + 1.0 / odd;
  }
  constexpr double kTwoOverLn2 = 2.8853900817779268147;
  constexpr double kShift = 6755399441055744.0;  // 1.5 · 2^52: whole numbers lie in its last bits
  const LaneInt shifted = power + 0x4338000000000000;
  const Lane whole = reinterpret_cast<Lane>(shifted) - kShift;
  x = whole + t * series * kTwoOverLn2;
}

/// y = 2^y for y in [-1022, 1023].
FDG_INLINE void twoTo(Lane& y) {
  constexpr double kShift = 6755399441055744.0;
  const Lane shifted = y + kShift;
  const LaneInt power = reinterpret_cast<LaneInt>(shifted) << 52;
  const Lane rest = (y - (shifted - kShift)) * 0.69314718055994530942;
  Lane sum = rest * (1.0 / 14) + 1.0;
#pragma unroll
  for (int i = 13; i > 0; --i) {
    sum = sum * rest * (1.0 / i) + 1.0;
  }
  const LaneInt scaled = reinterpret_cast<LaneInt>(sum) + power;
  y = reinterpret_cast<Lane>(scaled);
}

FDG_INLINE void power(const double* from, double exponent, double* to) {
  Lane lane;
  std::memcpy(&lane, from, sizeof lane);
  const Lane x = lane;
  logarithm(lane);
  lane = lane * exponent;
  twoTo(lane);
  std::memcpy(to, &lane, sizeof lane);
  const LaneInt small = x < std::numeric_limits<double>::min();
  int64_t any = 0;
  for (size_t c = 0; c < kWidth; ++c) {
    any |= small[c];
  }
  if (any != 0) [[unlikely]] {  // 0 and what has no full mantissa
    for (size_t c = 0; c < kWidth; ++c) {
      if (small[c] != 0) {
        to[c] = std::pow(x[c], exponent);
      }
    }
  }
}

FDG_INLINE void powersBody(const double* from, size_t count, double exponent, double* to) {
  size_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    power(from + i, exponent, to + i);
  }
  if (i < count) {
    double rest[kWidth] = {1, 1, 1, 1, 1, 1, 1, 1};
    std::copy_n(from + i, count - i, rest);
    power(rest, exponent, rest);
    std::copy_n(rest, count - i, to + i);
  }
}

using Kernel = void (*)(const double*, size_t, double, double*);
#define FDG_FOR(isa, suffix)                                                               \
  isa void powers##suffix(const double* from, size_t count, double exponent, double* to) { \
    powersBody(from, count, exponent, to);                                                 \
  }                                                                                        \
  constexpr Kernel k##suffix = powers##suffix;
FDG_AVX512_AVX2_PORTABLE(FDG_FOR)

}  // namespace

void powers(std::span<const double> from, double exponent, std::span<double> to) {
  if (exponent == 1) {
    std::ranges::copy(from, to.begin());
  } else if (exponent == 0) {
    std::ranges::fill(to.first(from.size()), 1.0);
  } else {
    static const Kernel kernel = forThisMachine(kAvx512, kAvx2, kPortable);
    kernel(from.data(), from.size(), exponent, to.data());
  }
}

}  // namespace fdg::rl
