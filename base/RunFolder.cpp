#include "base/RunFolder.h"

#include <cstdio>
#include <filesystem>

#include "base/Check.h"

namespace fdg {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& folder, const std::string& cause) {
  throw UserError("cannot make the folder " + folder + ": " + cause +
                  "; choose another with --out");
}

}  // namespace

std::string makeRunFolder(const std::string& wanted, const std::string& program) {
  std::error_code cause;
  if (!wanted.empty()) {
    fs::create_directories(wanted, cause);
    if (cause || !fs::is_directory(wanted)) {
      refuse(wanted, cause ? cause.message() : "a file of that name is in the way");
    }
    return wanted;
  }
  fs::create_directories("runs", cause);
  for (int number = 1; !cause && number < 1'000'000; ++number) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%03d", number);
    const std::string folder = "runs/" + program + "-" + digits;
    if (fs::create_directory(folder, cause)) {  // false without an error: somebody has it already
      return folder;
    }
    if (cause == std::errc::file_exists) {
      cause.clear();
    }
  }
  refuse("runs/" + program + "-001", cause ? cause.message() : "there are too many runs");
}

void refuseUsedFolder(const std::string& folder) {
  std::error_code none;
  const auto size = fs::file_size(fs::path(folder) / "log.jsonl", none);
  if (!none && size > 0) {
    throw UserError(
        "the folder " + folder +
        " holds a run already (log.jsonl); choose another with --out, or remove it first");
  }
}

}  // namespace fdg
