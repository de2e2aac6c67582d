#include "algorithms/parts/TreeKernels.h"

#include <array>
#include <cstring>

#include "algorithms/parts/InstructionSet.h"
#include "algorithms/parts/SumTree.h"

namespace fdg::rl {
namespace {

using Four = double __attribute__((vector_size(32), aligned(8)));
using FourInt = int64_t __attribute__((vector_size(32), aligned(8)));

// Vectors go by reference: by value their ABI would depend on the instruction set.
FDG_INLINE void load(Four& to, const double* from) { std::memcpy(&to, from, sizeof to); }

/// The child that a mass belongs to, and the sum of those before it.
struct Choice {
  int64_t child;
  double before;
};

/// Where runningSums leaves what goes up to element i: within its 16, 4b + j lies at 4j + b.
constexpr int64_t placeOf(int64_t i) { return i / 16 * 16 + i % 4 * 4 + i / 4 % 4; }

/// Running sums of 16 elements on top of `base`; returns how many the mass has passed.
FDG_INLINE void runningSums(const double* x, double base, double mass, double* sums,
                            FourInt& passed) {
  Four a, b, c, d;
  load(a, x);
  load(b, x + 4);
  load(c, x + 8);
  load(d, x + 12);
  const Four ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Four ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Four cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  Four sum[4];
  sum[0] = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  sum[1] = sum[0] + __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  sum[2] = sum[1] + __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  sum[3] = sum[2] + __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
  const double second = base + sum[3][0];
  const double third = second + sum[3][1];
  const Four before = {base, second, third, third + sum[3][2]};
  for (int64_t j = 0; j < 4; ++j) {
    const Four up_to = before + sum[j];
    std::memcpy(sums + 4 * j, &up_to, sizeof up_to);
    passed -= up_to <= mass;  // true is -1
  }
}

/// The last child that is not 0.
template <int64_t kArity>
[[gnu::noinline, gnu::cold]] Choice lastFilled(const double* group) {
  Choice last = {0, 0};
  double sum = 0;
  for (int64_t c = 0; c < kArity; ++c) {
    if (group[c] > 0) {
      last = {c, sum};
      sum += group[c];
    }
  }
  return last;
}

/// The first child whose running sum the mass has not passed; kArity if there is none. Without
/// branches, which the masses would mislead.
template <int64_t kArity>
FDG_INLINE void choose(const double* group, double mass, Choice& choice) {
  if constexpr (kArity < 16) {
    choice = {0, 0};
    double sum = 0;
    for (int64_t c = 0; c < kArity; ++c) {
      sum += group[c];
      choice.child += sum <= mass ? 1 : 0;
      choice.before = sum <= mass ? sum : choice.before;
    }
  } else {
    // sums[kArity] is what lies before the first child.
    double sums[kArity + 1];
    sums[kArity] = 0;
    static constexpr auto kPlaces = [] {
      std::array<uint8_t, kArity + 1> places{};
      places[0] = kArity;
      for (int64_t i = 0; i < kArity; ++i) {
        places[static_cast<size_t>(i + 1)] = static_cast<uint8_t>(placeOf(i));
      }
      return places;
    }();
    FourInt passed = {};
    for (int64_t part = 0; part < kArity; part += 16) {
      runningSums(group + part, part == 0 ? 0 : sums[placeOf(part - 1)], mass, sums + part, passed);
    }
    choice.child = (passed[0] + passed[1]) + (passed[2] + passed[3]);
    choice.before = sums[kPlaces[static_cast<size_t>(choice.child)]];
  }
}

template <int64_t kArity>
FDG_INLINE void descendBody(const double* level, const double* below, size_t count, double* mass,
                            int64_t* at) {
  for (size_t i = 0; i < count; ++i) {
    const double* group = level + at[i] * kArity;
    Choice choice;
    choose<kArity>(group, mass[i], choice);
    if (choice.child == kArity) [[unlikely]] {
      choice = lastFilled<kArity>(group);
    }
    mass[i] -= choice.before;
    at[i] = at[i] * kArity + choice.child;
    if (below != nullptr) {
      prefetchGroup<kArity>(below + at[i] * kArity);
    }
  }
}

/// By halves: the upper onto the lower, until one is left. Always in this order.
template <int64_t kArity, class Join>
FDG_INLINE double byHalves(const double* group, Join join) {
  double left[kArity / 2];
  for (int64_t c = 0; c < kArity / 2; ++c) {
    left[c] = join(group[c], group[c + kArity / 2]);
  }
  for (int64_t half = kArity / 4; half > 0; half /= 2) {
    for (int64_t c = 0; c < half; ++c) {
      left[c] = join(left[c], left[c + half]);
    }
  }
  return left[0];
}

template <int64_t kArity, class Join>
FDG_INLINE size_t foldGroups(const double* below, int64_t* groups, size_t count, double* level,
                             Join join) {
  size_t changed = 0;
  for (size_t i = 0; i < count; ++i) {
    const int64_t g = groups[i];
    const double value = byHalves<kArity>(below + g * kArity, join);
    if (value != level[g]) {
      level[g] = value;
      const int64_t parent = g / kArity;
      groups[changed] = parent;
      changed += changed == 0 || groups[changed - 1] != parent ? 1 : 0;
    }
  }
  return changed;
}

template <int64_t kArity>
FDG_INLINE size_t foldBody(Fold fold, const double* below, int64_t* groups, size_t count,
                           double* level) {
  return fold == Fold::sum
             ? foldGroups<kArity>(below, groups, count, level,
                                  [](double a, double b)
                                      __attribute__((always_inline)) { return a + b; })
             : foldGroups<kArity>(below, groups, count, level,
                                  [](double a, double b)
                                      __attribute__((always_inline)) { return a < b ? b : a; });
}

#define FDG_FOR(isa, suffix)                                                                     \
  template <int64_t kArity>                                                                      \
  isa void descend##suffix(const double* level, const double* below, size_t count, double* mass, \
                           int64_t* at) {                                                        \
    descendBody<kArity>(level, below, count, mass, at);                                          \
  }                                                                                              \
  template <int64_t kArity>                                                                      \
  isa size_t fold##suffix(Fold fold, const double* below, int64_t* groups, size_t count,         \
                          double* level) {                                                       \
    return foldBody<kArity>(fold, below, groups, count, level);                                  \
  }                                                                                              \
  template <int64_t kArity>                                                                      \
  constexpr TreeKernels k##suffix = {descend##suffix<kArity>, fold##suffix<kArity>};
FDG_AVX512_AVX2_PORTABLE(FDG_FOR)

}  // namespace

template <int64_t kArity>
const TreeKernels& treeKernels() {
  static const TreeKernels& chosen =
      forThisMachine(kAvx512<kArity>, kAvx2<kArity>, kPortable<kArity>);
  return chosen;
}

template const TreeKernels& treeKernels<2>();
template const TreeKernels& treeKernels<4>();
template const TreeKernels& treeKernels<8>();
template const TreeKernels& treeKernels<16>();
template const TreeKernels& treeKernels<32>();
template const TreeKernels& treeKernels<64>();

}  // namespace fdg::rl
