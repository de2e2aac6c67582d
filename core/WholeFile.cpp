#include "core/WholeFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/Check.h"

namespace fdg {
namespace {

bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}

}  // namespace

void writeWholeFile(const std::string& path, std::span<const std::string_view> pieces) {
  const std::string temporary = path + ".tmp";
  const int file = ::open(temporary.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
  bool good = file >= 0;
  for (const std::string_view piece : pieces) {
    good = good && writeAll(file, piece);
  }
  good = good && ::fsync(file) == 0;
  const int cause = errno;
  if (file >= 0) {
    ::close(file);
  }
  if (good && std::rename(temporary.c_str(), path.c_str()) == 0) {
    return;
  }
  const std::string text = std::strerror(good ? errno : cause);
  ::unlink(temporary.c_str());
  throw UserError("cannot write " + path + ": " + text);
}

}  // namespace fdg
