#include "runtime/transport/SharedMemory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fdg::transport {
namespace {

constexpr int kOwnerOnly = 0600;

Error failed(const char* what, const std::string& name) {
  return {fmt::format("shared memory {} cannot be {}: {}", name, what, std::strerror(errno))};
}

}  // namespace

Result<std::shared_ptr<SharedMemory>> SharedMemory::create(const std::string& name, size_t size) {
  std::shared_ptr<SharedMemory> memory(new SharedMemory);
  memory->file_ = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
  if (memory->file_ < 0) {
    return failed("created", name);
  }
  memory->name_ = name;
  memory->size_ = size;
  if (ftruncate(memory->file_, static_cast<off_t>(size)) != 0 || !memory->map()) {
    return failed("sized", name);
  }
  return memory;
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::open(const std::string& name) {
  std::shared_ptr<SharedMemory> memory(new SharedMemory);
  memory->file_ = shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0);
  struct stat status {};
  if (memory->file_ < 0 || fstat(memory->file_, &status) != 0) {
    return failed("opened", name);
  }
  memory->size_ = static_cast<size_t>(status.st_size);
  if (!memory->map()) {
    return failed("mapped", name);
  }
  return memory;
}

SharedMemory::~SharedMemory() {
  unlink();
  if (data_ != nullptr) {
    munmap(data_, size_);
  }
  if (file_ >= 0) {
    close(file_);
  }
}

bool SharedMemory::map() {
  void* address = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (address == MAP_FAILED) {
    return false;
  }
  data_ = static_cast<std::byte*>(address);
  return true;
}

bool SharedMemory::commit(size_t offset, size_t length) {
  int error = EINTR;
  while (error == EINTR) {
    error = posix_fallocate(file_, static_cast<off_t>(offset), static_cast<off_t>(length));
  }
  return error == 0;
}

void SharedMemory::unlink() {
  if (!name_.empty()) {
    shm_unlink(name_.c_str());
    name_.clear();
  }
}

size_t freeSharedMemory() {
  struct statvfs status {};
  if (statvfs("/dev/shm", &status) != 0) {
    return 0;
  }
  return static_cast<size_t>(status.f_bavail) * status.f_frsize;
}

std::string sizeText(size_t bytes) {
  if (bytes < 10'000) {
    return fmt::format("{} bytes", bytes);
  }
  if (bytes < 10 << 20) {
    return fmt::format("{} KiB", bytes >> 10);
  }
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace fdg::transport
