#include "runtime/SessionFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
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
  constexpr size_t kRoom = 64 << 10;  // mpirun, which says little about a full disk, needs some
  std::ofstream room(path_ / "room");
  room << std::string(kRoom, ' ');
  if (!room.flush()) {
    const std::string cause = std::strerror(errno);
    std::filesystem::remove_all(path_, none);
    throw UserError("cannot write in " + base.string() + ", where mpirun keeps files: " + cause +
                    "; name a folder with some room in TMPDIR");
  }
  std::filesystem::remove(path_ / "room", none);
}

SessionFolder::~SessionFolder() {
  std::error_code gone;
  std::filesystem::remove_all(path_, gone);
}

}  // namespace fdg
