// A folder in shared memory for what Open MPI's ranks keep there, so that none of it is left when
// they are killed.
//
// While it lives the ranks that are started put theirs into it (by environment variables that Open
// MPI 4 and 5 read); it goes with all that is in it. Each has opened all others' by the end of
// MPI_Init, so the ranks remove it themselves as soon as they have started: a killed fdg-run leaves
// nothing either. Open MPI takes its memory only when it first writes there, and dies of SIGBUS if
// there is none left then; so they take the part that is used before. Where there is no shared
// memory by name, Open MPI has to see for itself. One thread.
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

/// In a rank, when all have started: takes memory for what is in the folder that fdg-run made, if
/// it did, at most an eighth of what is free; and removes the folder.
void settleMpiSegments();

}  // namespace fdg
