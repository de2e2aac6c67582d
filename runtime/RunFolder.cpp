#include "runtime/RunFolder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

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

void writeRunRecord(const std::string& folder, const Options& options, const Manifest& manifest,
                    const place::Policy& policy, const place::Placement& placement,
                    const std::vector<std::pair<std::string, std::string>>& config) {
  nlohmann::ordered_json record;
  record["program"] = manifest.program;
  record["plan"] = options.plan;
  record["source"] = manifest.source;
  record["source_hash"] = manifest.source_hash;
  record["policy"] = policy.file;
  record["ranks"] = placement.ranks;
  record["in"] = std::string(unitOf(placement)) + "s";
  for (size_t g = 0; g < placement.groups.size(); ++g) {
    record["replicas"][placement.groups[g]] = placement.replicas[g];
  }
  record["seed"] = options.seed;
  record["config"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : config) {
    record["config"][name] = value;
  }
  std::ofstream file(folder + "/run.json");
  file << record.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
  if (!file.flush()) {
    throw UserError("cannot write " + folder + "/run.json: " + std::strerror(errno) +
                    "; choose another folder with --out");
  }
}

}  // namespace fdg
