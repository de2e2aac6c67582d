#include "runtime/SessionFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/Check.h"

namespace fdg {

SessionFolder::SessionFolder() {
  std::error_code none;
  const std::filesystem::path base = std::filesystem::temp_directory_path(none);
  std::string name = (base / "fdg-run-XXXXXX").string();
  if (none || ::mkdtemp(name.data()) == nullptr) {
    throw UserError("cannot make a folder in " +
                    (none ? "TMPDIR" : base.string()) + " for mpirun: " +
                    (none ? none.message() : std::strerror(errno)) +
                    "; name one that can be written to in TMPDIR");
  }
  path_ = name;
}

SessionFolder::~SessionFolder() {
  std::error_code gone;
  std::filesystem::remove_all(path_, gone);
}

}  // namespace fdg
