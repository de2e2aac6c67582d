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
  FolderLock(const std::string& folder, const std::string& option);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

/// Both exist and are one.
bool isSameFolder(const std::string& one, const std::string& other);

}  // namespace fdg
