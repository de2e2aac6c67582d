// Sixteen floats at once, as kernels for several instruction sets compute with them.
#pragma once

#include <cstdint>
#include <cstring>

#include "algorithms/parts/InstructionSet.h"

namespace fdg::rl {

inline constexpr int64_t kWidth = 16;
using Lane = float __attribute__((vector_size(64), aligned(4)));
using LaneInt = int32_t __attribute__((vector_size(64), aligned(4)));

// Lanes go by reference: by value their ABI would depend on the instruction set.
FDG_INLINE void load(Lane& lane, const float* from) { std::memcpy(&lane, from, sizeof lane); }

FDG_INLINE void store(float* to, const Lane& lane) { std::memcpy(to, &lane, sizeof lane); }

}  // namespace fdg::rl
