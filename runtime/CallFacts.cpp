#include "runtime/CallFacts.h"

#include <fmt/format.h>

#include "base/ReadFile.h"
#include "fdg/trace_hash.h"

namespace fdg {
namespace {

std::string checksum(const std::string& path) {
  const std::string content = contentOf(path).value_or("");
  value::Hasher hasher;
  hasher.bytes(content.data(), content.size());
  return fmt::format("one with the checksum {:016x}", hasher.value());
}

std::string orNone(const std::string& text) { return text.empty() ? "none" : text; }

template <class T>
std::string orNone(const std::optional<T>& number) {
  return number ? std::to_string(*number) : "none";
}

}  // namespace

transport::CallFacts callFacts(const Options& options, const place::Policy& policy,
                               const ConfigValues& config) {
  transport::CallFacts facts = {
      {"plan", checksum(options.plan)},
      {"policy", checksum(policy.file)},
      {"-n", options.ranks == 0 ? "none" : std::to_string(options.ranks)},
      {"--replicas", orNone(options.replicas)},
      {"--window", orNone(options.window)},
      {"--seed", std::to_string(options.seed)},
      {"--verify", std::to_string(options.verify)},
      {"--carrier", options.force_mpi ? "mpi" : "auto"},
      {"--inject-latency", fmt::format("{} s", options.latency)},
      {"--checkpoint", orNone(options.checkpoint)},
      {"--every", orNone(options.every)},
      {"--resume", orNone(options.resume)},
      {"--timeline", options.timeline.empty() ? "not given" : "given"},
      {"--timings", options.timings.empty() ? "not given" : "given"}};
  for (const auto& [name, value] : config) {
    facts.emplace_back("config field " + name, orNone(value));
  }
  return facts;
}

}  // namespace fdg
