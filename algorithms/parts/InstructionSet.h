// Which of three forms of a kernel this machine runs. All do the same operations in the same order,
// so that results do not depend on the choice.
#pragma once

#define FDG_INLINE [[gnu::always_inline]] inline
/// FORM(attribute, suffix) once for each form.
#if defined(__x86_64__)
#define FDG_AVX512_AVX2_PORTABLE(FORM)                                \
  FORM([[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]], Avx512) \
  FORM([[gnu::target("avx2")]], Avx2)                                 \
  FORM([[gnu::target("sse2")]], Portable)
#else
#define FDG_AVX512_AVX2_PORTABLE(FORM) FORM(, Avx512) FORM(, Avx2) FORM(, Portable)
#endif

namespace fdg::rl {

template <class T>
const T& forThisMachine(const T& avx512, const T& avx2, const T& portable) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    return avx512;
  }
  if (__builtin_cpu_supports("avx2")) {
    return avx2;
  }
#endif
  return portable;
}

}  // namespace fdg::rl
