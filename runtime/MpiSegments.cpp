#include "runtime/MpiSegments.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace fdg {
namespace {

constexpr const char* kVariables[] = {"OMPI_MCA_btl_sm_backing_directory",      // Open MPI 5
                                      "OMPI_MCA_btl_vader_backing_directory"};  // Open MPI 4

}  // namespace

MpiSegments::MpiSegments() {
  std::string name = "/dev/shm/mpirun-" + std::to_string(::getpid()) + "-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return;
  }
  folder_ = name;
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
  std::error_code gone;
  std::filesystem::remove_all(folder_, gone);
}

}  // namespace fdg
