#include "runtime/checkpoint/Record.h"

#include <nlohmann/json.hpp>

namespace fdg::checkpoint {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 1;

template <class T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}
template <class T>
std::optional<T> optionalAt(const Json& json, const char* name) {
  const Json& value = json.at(name);
  return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

Json toJson(const SavedFragment& f) {
  return {{"fragment", f.fragment},
          {"rank", f.rank},
          {"replicas", {f.replicas.first, f.replicas.last, f.replicas.count}},
          {"loop", f.point.loop},
          {"iteration", f.point.iteration},
          {"file", f.file},
          {"bytes", f.bytes},
          {"hash", f.hash}};
}

SavedFragment fragmentFrom(const Json& json) {
  SavedFragment f;
  f.fragment = json.at("fragment").get<int>();
  f.rank = json.at("rank").get<int>();
  const Json& replicas = json.at("replicas");
  f.replicas = {replicas.at(0).get<int64_t>(), replicas.at(1).get<int64_t>(),
                replicas.at(2).get<int64_t>()};
  f.point = {json.at("loop").get<int>(), json.at("iteration").get<int64_t>()};
  f.file = json.at("file").get<std::string>();
  f.bytes = json.at("bytes").get<int64_t>();
  f.hash = json.at("hash").get<uint64_t>();
  return f;
}

Json toJson(const RunDescription& run) {
  Json config = Json::object();
  for (const auto& [name, value] : run.config) {
    config[name] = value;
  }
  return {{"plan", run.plan},
          {"policy", run.policy},
          {"out", run.out},
          {"seed", run.seed},
          {"ranks", run.ranks},
          {"replicas", orNull(run.replicas)},
          {"window", orNull(run.window)},
          {"force_mpi", run.force_mpi},
          {"every", run.every},
          {"config", config}};
}

RunDescription runFrom(const Json& json) {
  RunDescription run;
  run.plan = json.at("plan").get<std::string>();
  run.policy = json.at("policy").get<std::string>();
  run.out = json.at("out").get<std::string>();
  run.seed = json.at("seed").get<uint64_t>();
  run.ranks = json.at("ranks").get<int>();
  run.replicas = optionalAt<int64_t>(json, "replicas");
  run.window = optionalAt<int>(json, "window");
  run.force_mpi = json.at("force_mpi").get<bool>();
  run.every = json.at("every").get<std::string>();
  for (const auto& [name, value] : json.at("config").items()) {
    run.config.emplace_back(name, value.get<std::string>());
  }
  return run;
}

}  // namespace

std::string writeRecord(const Record& record) {
  Json fragments = Json::array();
  for (const SavedFragment& fragment : record.fragments) {
    fragments.push_back(toJson(fragment));
  }
  const Json json = {{"version", kVersion},
                     {"number", record.number},
                     {"program", record.program},
                     {"manifest_hash", record.manifest_hash},
                     {"fragment_names", record.fragment_names},
                     {"log_lines", record.log_lines},
                     {"run", toJson(record.run)},
                     {"fragments", fragments}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Record> readRecord(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (const int version = json.at("version").get<int>(); version != kVersion) {
      return Error{"it has version " + std::to_string(version) + ", this fdg-run reads version " +
                   std::to_string(kVersion)};
    }
    Record record;
    record.number = json.at("number").get<int64_t>();
    record.program = json.at("program").get<std::string>();
    record.manifest_hash = json.at("manifest_hash").get<uint64_t>();
    record.fragment_names = json.at("fragment_names").get<std::vector<std::string>>();
    record.log_lines = json.at("log_lines").get<int64_t>();
    record.run = runFrom(json.at("run"));
    for (const Json& fragment : json.at("fragments")) {
      record.fragments.push_back(fragmentFrom(fragment));
    }
    return record;
  } catch (const std::exception&) {
    return Error{"it is not a checkpoint's record"};
  }
}

}  // namespace fdg::checkpoint
