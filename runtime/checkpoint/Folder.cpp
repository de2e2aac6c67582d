#include "runtime/checkpoint/Folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <tuple>

#include "base/Check.h"

namespace fdg::checkpoint {
namespace {

namespace fs = std::filesystem;
constexpr size_t kKept = 2;
constexpr const char* kPolicy = "policy.yaml";
constexpr const char* kRecord = "checkpoint.json";

[[noreturn]] void failWrite(const std::string& path) {
  throw UserError("cannot write the checkpoint " + path + ": " + std::strerror(errno));
}

void sync(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int cause = errno;
  if (file >= 0) {
    ::close(file);
  }
  if (!synced) {
    errno = cause;
    failWrite(path);
  }
}

void writeText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) {
    failWrite(path);
  }
  file.close();
  sync(path);
}

std::optional<std::string> textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    return std::nullopt;
  }
  return text.str();
}

/// Why the files are not what the record says; empty: they are, as far as their sizes tell.
std::string faultOf(const Found& found) {
  for (const SavedFragment& fragment : found.record.fragments) {
    std::error_code cause;
    const auto size = fs::file_size(found.folder + "/" + fragment.file, cause);
    if (cause || static_cast<int64_t>(size) != fragment.bytes) {
      return fragment.file + (cause ? " is missing"
                                    : " has " + std::to_string(size) + " bytes instead of " +
                                          std::to_string(fragment.bytes));
    }
  }
  if (textOf(found.folder + "/" + kPolicy) != found.record.run.policy) {
    return std::string(kPolicy) + " is not the policy that the run was started with";
  }
  return {};
}

/// iteration-000000500 or line-41-iteration-000000500.
bool isGivenName(const std::string& name) {
  static const std::regex kName("(line-[0-9]+-)?iteration-[0-9]+");
  return std::regex_match(name, kName);
}

Result<Found> readCheckpoint(const std::string& folder) {
  const auto text = textOf(folder + "/" + kRecord);
  if (!text) {
    return Error{folder + " holds no checkpoint (no checkpoint.json)"};
  }
  auto record = readRecord(*text);
  if (!record) {
    return Error{folder + "/" + kRecord + " cannot be read: " + record.error()};
  }
  std::error_code none;
  Found found{fs::canonical(folder, none).string(), *record};
  if (const std::string fault = faultOf(found); !fault.empty()) {
    return Error{"the checkpoint " + folder + " is damaged: " + fault};
  }
  return found;
}

std::vector<fs::path> foldersIn(const std::string& folder) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.is_directory(none)) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

struct Whole {
  int64_t number = INT64_MAX;
  std::string path;
  std::optional<Record> record;  // nothing if it cannot be read
};

/// Whole checkpoints in the folder, newest first. A damaged one counts, and says so when it is
/// read: nobody wants to go on from an older one without being told.
std::vector<Whole> checkpointsIn(const std::string& folder) {
  std::vector<Whole> found;
  for (const fs::path& path : foldersIn(folder)) {
    const auto text = textOf((path / kRecord).string());
    if (!text || path.filename().string().starts_with('.')) {
      continue;
    }
    Whole whole;
    whole.path = path.string();
    if (auto record = readRecord(*text)) {
      whole.number = record->number;
      whole.record = *std::move(record);
    }
    found.push_back(std::move(whole));
  }
  std::ranges::sort(found, std::greater<>(),
                    [](const Whole& whole) { return std::tie(whole.number, whole.path); });
  return found;
}

/// What the run has made that `record` is of, but for its last two.
void removeOld(const std::string& folder, const Record& record) {
  auto made = checkpointsIn(folder);
  std::erase_if(made, [&](const Whole& whole) {
    const fs::path path = whole.path;
    return !whole.record || whole.record->run_id != record.run_id || fs::is_symlink(path) ||
           !isGivenName(path.filename());
  });
  std::error_code none;
  for (size_t i = kKept; i < made.size(); ++i) {
    fs::remove_all(made[i].path, none);
  }
}

/// Empty unless there are checkpoints of several runs.
std::string namesOfSeveral(const std::vector<Whole>& all) {
  std::map<uint64_t, std::string> newest;
  for (const Whole& whole : all) {
    if (whole.record) {
      newest.emplace(whole.record->run_id, whole.path + " (of " + whole.record->run.out + ")");
    }
  }
  std::string names;
  for (const auto& [run, name] : newest) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return newest.size() > 1 ? names : std::string();
}

}  // namespace

std::string nameOf(Point point, const Manifest& manifest) {
  int line = 0;
  int loops = 0;
  for (const LoopInfo& loop : manifest.loops) {
    loops += loop.parent < 0 && loop.has_boundary ? 1 : 0;
    line = loop.id == point.loop ? loop.line : line;
  }
  char digits[32];
  std::snprintf(digits, sizeof digits, "%09lld", static_cast<long long>(point.iteration));
  return (loops > 1 ? "line-" + std::to_string(line) + "-" : "") + "iteration-" + digits;
}

std::string openFolder(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/." + name;
  std::error_code cause;
  fs::create_directories(path, cause);
  if (cause) {
    throw UserError("cannot make the folder " + path + ": " + cause.message() +
                    "; choose another with --checkpoint");
  }
  return path;
}

std::string closeFolder(const std::string& folder, const std::string& name, const Record& record) {
  const std::string open = openFolder(folder, name);
  const std::string text = writeRecord(record);
  writeText(open + "/" + kPolicy, readRecord(text).orThrow().run.policy);  // as JSON can keep it
  writeText(open + "/" + kRecord, text);
  sync(open);
  const std::string path = folder + "/" + name;
  std::error_code none;
  fs::remove_all(path, none);  // of a run that was resumed from an older one
  if (std::rename(open.c_str(), path.c_str()) != 0) {
    failWrite(path);
  }
  sync(folder);
  removeOld(folder, record);
  return path;
}

void dropFolder(const std::string& folder, const std::string& name) {
  std::error_code none;
  fs::remove_all(folder + "/." + name, none);
}

void removeUnfinished(const std::string& folder) {
  std::error_code none;
  for (const fs::path& path : foldersIn(folder)) {
    const std::string name = path.filename().string();
    if (name.starts_with('.') && isGivenName(name.substr(1))) {
      fs::remove_all(path, none);
    }
  }
}

int64_t highestNumber(const std::string& folder) {
  int64_t highest = 0;
  for (const Whole& whole : checkpointsIn(folder)) {
    highest = whole.record ? std::max(highest, whole.number) : highest;
  }
  return highest;
}

Result<Found> findCheckpoint(const std::string& path) {
  std::error_code none;
  if (fs::exists(fs::path(path) / kRecord, none)) {
    return readCheckpoint(path);
  }
  if (!fs::is_directory(path, none)) {
    return Error{path + " is not a folder of checkpoints; name the folder that --checkpoint named"};
  }
  const auto all = checkpointsIn(path);
  if (all.empty()) {
    return Error{path +
                 " holds no whole checkpoint: there is no " + kRecord +
                 " in it, nor in a folder in it. Either it is not what --checkpoint named, or that "
                 "run ended before its first one and has to start again"};
  }
  if (const std::string several = namesOfSeveral(all); !several.empty()) {
    return Error{path + " holds checkpoints of several runs, the newest of each: " + several +
                 "; name one of them with --resume"};
  }
  auto found = readCheckpoint(all.front().path);
  if (!found && all.size() > 1) {
    return Error{found.error() + "; to go on from the one before it: --resume " + all[1].path};
  }
  return found;
}

void refuseUsedCheckpoints(const std::string& folder) {
  if (const auto all = checkpointsIn(folder); !all.empty()) {
    throw UserError("--checkpoint " + folder +
                    ": that folder holds the checkpoints of a run already; go on with that run by "
                    "--resume " +
                    folder + ", or choose another folder");
  }
}

}  // namespace fdg::checkpoint
