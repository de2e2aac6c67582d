// A folder → this process's alone, until the lock goes or the process ends, however it ends.
//
// A lock of the kernel on the file FOLDER/.lock. On a file system without locks there is none, and
// nobody is refused.
#pragma once

#include <string>

namespace fdg {

class FolderLock {
 public:
  /// Makes the folder if it is missing. Throws UserError, naming the option, if another run has it or
  /// it cannot be written to.
  FolderLock(const std::string& folder, const std::string& option)
      : FolderLock(folder, option, ".lock", /*tries=*/1) {}
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  friend FolderLock lockForRanks(const std::string& folder, const std::string& option);
  /// Tries as often, 50 ms apart.
  FolderLock(const std::string& folder, const std::string& option, const char* name, int tries);

  int file_ = -1;
};

/// What rank 0 of a run holds that fdg-run has started: it may write for a moment after a fdg-run that
/// was killed. Waits some seconds for that of a run before.
FolderLock lockForRanks(const std::string& folder, const std::string& option);
/// Returns as soon as no rank of a run that was killed writes in the folder; throws UserError if one
/// still does after some seconds.
void awaitRanks(const std::string& folder, const std::string& option);

/// Both exist and are one.
bool isSameFolder(const std::string& one, const std::string& other);

}  // namespace fdg
