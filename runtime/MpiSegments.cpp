#include "runtime/MpiSegments.h"

#include <unistd.h>

#include <fstream>
#include <string_view>

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

MpiSegments::~MpiSegments() {
  for (const std::string& path : paths_) {
    ::unlink(path.c_str());
  }
}

}  // namespace fdg
