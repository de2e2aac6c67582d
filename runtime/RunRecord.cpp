#include "runtime/RunRecord.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/Check.h"

namespace fdg {

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
