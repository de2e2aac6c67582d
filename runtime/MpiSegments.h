// The shared memory that Open MPI's ranks make by name, so that none is left when they are killed.
//
// Ranks that end in order remove theirs. The names are read from the memory maps of the processes
// while they run; what still exists at the end goes. One thread.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>

namespace fdg {

class MpiSegments {
 public:
  MpiSegments() = default;
  ~MpiSegments();
  MpiSegments(const MpiSegments&) = delete;
  MpiSegments& operator=(const MpiSegments&) = delete;

  /// Notes what the process and all below it have mapped.
  void note(pid_t root);

 private:
  std::set<std::string> paths_;
};

}  // namespace fdg
