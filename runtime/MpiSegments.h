// A folder in shared memory for what Open MPI's ranks keep there, so that none of it is left when
// they are killed.
//
// While it lives the ranks that are started put theirs into it (by environment variables that Open
// MPI 4 and 5 read); it goes with all that is in it. Where there is no shared memory by name, Open
// MPI has to see for itself. One thread.
#pragma once

#include <string>

namespace fdg {

class MpiSegments {
 public:
  MpiSegments();
  ~MpiSegments();
  MpiSegments(const MpiSegments&) = delete;
  MpiSegments& operator=(const MpiSegments&) = delete;

 private:
  std::string folder_;  // empty: there is none
};

}  // namespace fdg
