// A POSIX shared-memory object, mapped: created by one rank of a node and opened by others.
//
// The object is sparse: commit() takes real memory for a range, so that a full /dev/shm is an
// answer and not a SIGBUS later on. The name goes away with unlink(), or when the creator's object
// is destroyed; the memory lives until the last mapping is gone. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/Result.h"

namespace fdg::transport {

class SharedMemory {
 public:
  /// A new object full of zeros; it must not exist yet.
  static Result<std::shared_ptr<SharedMemory>> create(const std::string& name, size_t size);
  static Result<std::shared_ptr<SharedMemory>> open(const std::string& name);

  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  /// Real memory for the range; false if there is none left.
  bool commit(size_t offset, size_t length);
  void unlink();

 private:
  SharedMemory() = default;
  bool map();

  std::string name_;  // empty: there is none (any more)
  int file_ = -1;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

/// Bytes that shared memory still has on this machine.
size_t freeSharedMemory();

/// "12.5 MiB"
std::string sizeText(size_t bytes);

}  // namespace fdg::transport
