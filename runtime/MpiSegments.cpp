#include "runtime/MpiSegments.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "runtime/ProcessTree.h"

namespace fdg {

namespace {

bool isSegment(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return (name.starts_with("sm_segment.") || name.starts_with("vader_segment.")) &&
         !name.ends_with("(deleted)");
}

}  // namespace

void MpiSegments::note(pid_t root) {
  for (const pid_t process : processTree(root)) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    for (std::string line; std::getline(maps, line);) {
      const size_t path = line.find('/');
      if (path != std::string::npos && isSegment(std::string_view(line).substr(path))) {
        paths_.insert(line.substr(path));
      }
    }
  }
}

/// "…/sm_segment.HOST.USER.JOB.RANK": all of the job go, seen or not.
MpiSegments::~MpiSegments() {
  for (const std::string& path : paths_) {
    const std::string job = path.substr(0, path.rfind('.') + 1);
    std::error_code gone;
    const std::filesystem::directory_iterator files(std::filesystem::path(path).parent_path(),
                                                    gone);
    for (auto file = begin(files); !gone && file != end(files); file.increment(gone)) {
      if (file->path().native().starts_with(job)) {
        ::unlink(file->path().c_str());
      }
    }
  }
}

}  // namespace fdg
