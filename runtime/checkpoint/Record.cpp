#include "runtime/checkpoint/Record.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "base/Seal.h"

namespace fdg::checkpoint {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 3;

template <class T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}
/// A whole number that fits; the library itself would cut fractions and wrap what is too large.
template <class T>
T whole(const Json& json) {
  const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<uint64_t>())
                                              : json.is_number_integer() &&
                                                    std::in_range<T>(json.get<int64_t>());
  if (!fits) {
    throw std::out_of_range("no whole number, or one that is too large");
  }
  return json.get<T>();
}
template <class T>
std::optional<T> optionalAt(const Json& json, const char* name) {
  const Json& value = json.at(name);
  return value.is_null() ? std::nullopt : std::optional(whole<T>(value));
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
  f.fragment = whole<int>(json.at("fragment"));
  f.rank = whole<int>(json.at("rank"));
  const Json& replicas = json.at("replicas");
  f.replicas = {whole<int64_t>(replicas.at(0)), whole<int64_t>(replicas.at(1)),
                whole<int64_t>(replicas.at(2))};
  f.point = {whole<int>(json.at("loop")), whole<int64_t>(json.at("iteration"))};
  f.file = json.at("file").get<std::string>();
  f.bytes = whole<int64_t>(json.at("bytes"));
  f.hash = whole<uint64_t>(json.at("hash"));
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
  run.seed = whole<uint64_t>(json.at("seed"));
  run.ranks = whole<int>(json.at("ranks"));
  run.replicas = optionalAt<int64_t>(json, "replicas");
  run.window = optionalAt<int>(json, "window");
  run.force_mpi = json.at("force_mpi").get<bool>();
  run.every = json.at("every").get<std::string>();
  for (const auto& [name, value] : json.at("config").items()) {
    run.config.emplace_back(name, value.get<std::string>());
  }
  return run;
}

/// Of all fields but `checksum`, in the order of the file; blanks do not count.
std::string checksumOf(const Json& record) {
  Json rest = record;
  rest.erase("checksum");
  return fdg::checksumOf(rest.dump(-1, ' ', false, Json::error_handler_t::replace));
}

bool isAsWritten([[maybe_unused]] const Json& record) {
#ifdef FDG_FUZZED
  return true;  // or nothing that is made up would come any further
#else
  return record.at("checksum").get<std::string>() == checksumOf(record);
#endif
}

}  // namespace

std::string writeRecord(const Record& record) {
  Json fragments = Json::array();
  for (const SavedFragment& fragment : record.fragments) {
    fragments.push_back(toJson(fragment));
  }
  Json json = {{"version", kVersion},
                     {"run_id", record.run_id},
                     {"number", record.number},
                     {"program", record.program},
                     {"manifest_hash", record.manifest_hash},
                     {"fragment_names", record.fragment_names},
                     {"log_lines", record.log.lines},
                     {"log_bytes", record.log.bytes},
                     {"log_hash", record.log.hash},
                     {"run", toJson(record.run)},
                     {"fragments", fragments}};
  json["checksum"] = checksumOf(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Record> readRecord(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (const int version = whole<int>(json.at("version")); version != kVersion) {
      return Error{"it has version " + std::to_string(version) + ", this fdg-run reads version " +
                   std::to_string(kVersion)};
    }
    if (!isAsWritten(json)) {
      return Error{"its checksum says that it was changed since it was written; to go on with other "
                   "numbers, start a new run"};
    }
    Record record;
    record.run_id = whole<uint64_t>(json.at("run_id"));
    record.number = whole<int64_t>(json.at("number"));
    record.program = json.at("program").get<std::string>();
    record.manifest_hash = whole<uint64_t>(json.at("manifest_hash"));
    record.fragment_names = json.at("fragment_names").get<std::vector<std::string>>();
    record.log = {whole<int64_t>(json.at("log_lines")), whole<int64_t>(json.at("log_bytes")),
                  whole<uint64_t>(json.at("log_hash"))};
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
