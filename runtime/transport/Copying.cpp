#include "runtime/transport/Copying.h"

#include <atomic>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fdg::transport {
namespace {

constexpr size_t kStreamFrom = 4096;

#if defined(__SSE2__)
void streamOut(std::byte* to, const std::byte* from, size_t size) {
  const size_t head = (64 - reinterpret_cast<uintptr_t>(to) % 64) % 64;
  std::memcpy(to, from, head);
  to += head;
  from += head;
  size -= head;
  for (; size >= 64; size -= 64, to += 64, from += 64) {
    const auto* source = reinterpret_cast<const __m128i*>(from);
    auto* target = reinterpret_cast<__m128i*>(to);
    const __m128i a = _mm_loadu_si128(source);
    const __m128i b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2);
    const __m128i d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  std::memcpy(to, from, size);
  _mm_sfence();
}
#endif

}  // namespace

void copyOut(std::byte* to, const std::byte* from, size_t size) {
#if defined(__SSE2__)
  if (size >= kStreamFrom) {
    streamOut(to, from, size);
    return;
  }
#endif
  std::memcpy(to, from, size);
}

void copyRacing(std::byte* to, const std::byte* from, size_t size) {
  // Both sides are aligned to 64 bytes; word-wise relaxed loads make the race a defined one.
  size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    const uint64_t word =
        __atomic_load_n(reinterpret_cast<const uint64_t*>(from + at), __ATOMIC_RELAXED);
    std::memcpy(to + at, &word, sizeof word);
  }
  for (; at < size; ++at) {
    to[at] = std::byte{
        __atomic_load_n(reinterpret_cast<const unsigned char*>(from + at), __ATOMIC_RELAXED)};
  }
}

}  // namespace fdg::transport
