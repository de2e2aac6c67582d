#include "runtime/MpiSegments.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace fdg {
namespace {

constexpr const char* kVariables[] = {"OMPI_MCA_btl_sm_backing_directory",      // Open MPI 5
                                      "OMPI_MCA_btl_vader_backing_directory"};  // Open MPI 4

constexpr const char* kOwn = "FDG_MPI_SEGMENTS";  // to the ranks: the folder
constexpr off_t kUsed = 4 << 20;                  // of a segment of 16 MB, from its beginning on

}  // namespace

MpiSegments::MpiSegments() {
  std::string name = "/dev/shm/mpirun-" + std::to_string(::getpid()) + "-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return;
  }
  folder_ = name;
  ::setenv(kOwn, folder_.c_str(), /*overwrite=*/1);
  for (const char* variable : kVariables) {
    ::setenv(variable, folder_.c_str(), /*overwrite=*/0);
  }
}

MpiSegments::~MpiSegments() {
  if (folder_.empty()) {
    return;
  }
  for (const char* variable : kVariables) {
    if (const char* value = std::getenv(variable); value != nullptr && value == folder_) {
      ::unsetenv(variable);
    }
  }
  ::unsetenv(kOwn);
  std::error_code gone;
  std::filesystem::remove_all(folder_, gone);
}

void settleMpiSegments() {
  const char* folder = std::getenv(kOwn);
  if (folder == nullptr) {
    return;
  }
  namespace fs = std::filesystem;
  std::error_code gone;  // another rank is as far
  const auto segments = std::distance(fs::directory_iterator(folder, gone), {});
  const auto share =
      static_cast<off_t>(fs::space(folder, gone).available / 8) / std::max<off_t>(1, segments);
  for (auto file = fs::directory_iterator(folder, gone); !gone && file != end(file);
       file.increment(gone)) {
    const int segment = ::open(file->path().c_str(), O_RDWR | O_CLOEXEC);
    struct stat status = {};
    if (segment >= 0 && ::fstat(segment, &status) == 0 && status.st_size > 0) {
      ::posix_fallocate(segment, 0, std::min({kUsed, share, status.st_size}));
    }
    if (segment >= 0) {
      ::close(segment);
    }
  }
  fs::remove_all(folder, gone);
}

}  // namespace fdg
