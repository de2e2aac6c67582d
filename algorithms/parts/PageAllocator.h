// PageAllocator: memory for standard vectors that starts on a cache line, and from 2 MB on lies on
// huge pages where the system gives them, so that reading at random places finds its addresses.
// Throws std::bad_alloc. Any thread.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace fdg::rl {

template <class T>
struct PageAllocator {
  using value_type = T;
  static constexpr size_t kLine = 64;
  static constexpr size_t kHuge = size_t{2} << 20;

  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}

  T* allocate(size_t count) {
    const size_t unit = count * sizeof(T) < kHuge ? kLine : kHuge;
    const size_t bytes = (count * sizeof(T) + unit - 1) / unit * unit;
    void* memory = std::aligned_alloc(unit, bytes);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    if (unit == kHuge) {
      madvise(memory, bytes, MADV_HUGEPAGE);  // advice only: refused, it costs time alone
    }
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { std::free(memory); }

  template <class U>
  bool operator==(const PageAllocator<U>&) const {
    return true;
  }
};

template <class T>
using PagedVector = std::vector<T, PageAllocator<T>>;

}  // namespace fdg::rl
