// A folder for what mpirun keeps on disk while it runs.
//
// mpirun names its own folder after its process number and refuses to start where a killed run with
// the same number has left one. So every run gets a new folder, under TMPDIR or /tmp, which is
// removed with all that is in it when the run has ended, however mpirun ended. One thread.
#pragma once

#include <filesystem>
#include <string>

namespace fdg {

class SessionFolder {
 public:
  /// Throws UserError if the folder cannot be made, or its disk is full.
  SessionFolder();
  ~SessionFolder();
  SessionFolder(const SessionFolder&) = delete;
  SessionFolder& operator=(const SessionFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace fdg
