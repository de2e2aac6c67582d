// Copies between private and shared memory.
//
// copyOut writes from 4 KB on with streaming stores, past the caches: the reader, on another core,
// then gets the data 2–3 times faster than from the writer's dirty cache lines. It ends with a
// store fence, so a flag that is stored afterwards (release) is seen after the data. copyRacing
// reads memory that another process may be writing: the caller checks afterwards whether it was.
#pragma once

#include <cstddef>

namespace fdg::transport {

void copyOut(std::byte* to, const std::byte* from, size_t size);
void copyRacing(std::byte* to, const std::byte* from, size_t size);

/// A hint: this core writes to that cache line next. A store behind it does not wait for the core that
/// read it last.
inline void ownSoon(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

}  // namespace fdg::transport
