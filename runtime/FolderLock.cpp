#include "runtime/FolderLock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/Check.h"

namespace fdg {
namespace {

constexpr const char* kRanks = ".ranks";
constexpr int kTries = 200;  // 10 s

}  // namespace

FolderLock::FolderLock(const std::string& folder, const std::string& option, const char* name,
                       int tries) {
  std::error_code cause;
  std::filesystem::create_directories(folder, cause);
  file_ = ::open((folder + "/" + name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    throw UserError("cannot write in the folder " + folder + ": " +
                    (cause ? cause.message() : std::strerror(errno)) + "; choose another with " +
                    option);
  }
  while (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (--tries > 0) {
      ::usleep(50'000);
      continue;
    }
    ::close(file_);
    throw UserError("another run is at work in the folder " + folder +
                    "; wait until it has ended, or choose another with " + option);
  }
}

FolderLock::~FolderLock() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

FolderLock lockForRanks(const std::string& folder, const std::string& option) {
  return {folder, option, kRanks, kTries};
}

void awaitRanks(const std::string& folder, const std::string& option) {
  if (std::filesystem::exists(std::filesystem::path(folder) / kRanks)) {
    const FolderLock none_started_them(folder, option);  // refused at once if that one lives
    lockForRanks(folder, option);
  }
}

bool isSameFolder(const std::string& one, const std::string& other) {
  std::error_code none;
  return std::filesystem::equivalent(one, other, none);
}

}  // namespace fdg
