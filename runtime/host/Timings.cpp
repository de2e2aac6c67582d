#include "runtime/host/Timings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/Check.h"
#include "core/WholeFile.h"

namespace fdg::host {
namespace {

using Json = nlohmann::ordered_json;
using Kind = StepRecord::Kind;

constexpr std::array<const char*, 5> kKinds = {"send", "receive", "exchange", "drain", "end"};

Json stepsToJson(const Manifest& manifest, const ScriptRecord& script) {
  Json iterations = Json::array();
  size_t next = 0;
  for (const int64_t number : script.iterations) {
    Json steps = Json::array();
    bool ended = false;
    while (!ended && next < script.steps.size()) {
      const StepRecord& step = script.steps[next++];
      ended = step.kind == Kind::end;
      Json line = {kKinds[static_cast<size_t>(step.kind)], step.computing};
      if (!ended) {
        line.push_back(manifest.boundaries[static_cast<size_t>(step.boundary)].name);
      }
      if (step.bytes > 0) {
        line.push_back(step.bytes);
      }
      steps.push_back(std::move(line));
    }
    iterations.push_back({{"iteration", number}, {"steps", std::move(steps)}});
  }
  return iterations;
}

/// Turns JSON that may be anything into scripts; throws UserError or nlohmann's own for what it is
/// not.
class Reader {
 public:
  explicit Reader(const Manifest& manifest) : manifest_(manifest) {}

  std::vector<ScriptRecord> read(const Json& root) const {
    if (root.at("program") != manifest_.program ||
        root.at("source_hash") != manifest_.source_hash) {
      throw UserError("these are timings of another program, or of another version of " +
                      manifest_.program + "; run this plan with --timings once more");
    }
    std::vector<ScriptRecord> scripts;
    for (const Json& entry : root.at("fragments")) {
      scripts.push_back(readScript(entry));
    }
    return scripts;
  }

 private:
  template <class List>
  int idOf(const List& list, const std::string& name) const {
    const auto found = std::ranges::find_if(list, [&](const auto& e) { return e.name == name; });
    if (found == list.end()) {
      throw UserError(manifest_.program + " has no \"" + name + "\"");
    }
    return found->id;
  }

  ScriptRecord readScript(const Json& entry) const {
    ScriptRecord script;
    script.fragment = idOf(manifest_.fragments, entry.at("fragment").get<std::string>());
    script.replicas = entry.at("replicas").get<int64_t>();
    script.of = entry.at("of").get<int64_t>();
    if (script.replicas < 1 || script.of < script.replicas) {
      throw UserError("a fragment did the rows of " + std::to_string(script.replicas) + " of " +
                      std::to_string(script.of) + " replicas");
    }
    for (const Json& iteration : entry.at("iterations")) {
      script.iterations.push_back(iteration.at("iteration").get<int64_t>());
      for (const Json& step : iteration.at("steps")) {
        script.steps.push_back(readStep(step));
      }
      if (script.steps.empty() || script.steps.back().kind != Kind::end) {
        throw UserError("an iteration does not end");
      }
    }
    return script;
  }

  StepRecord readStep(const Json& line) const {
    StepRecord step;
    const auto word = line.at(0).get<std::string>();
    const auto kind = std::ranges::find(kKinds, word);
    step.kind = kind == kKinds.end() ? throw UserError("what is the step \"" + word + "\"?")
                                     : static_cast<Kind>(kind - kKinds.begin());
    step.computing = line.at(1).get<double>();
    if (!(step.computing >= 0) || step.computing > 1e9) {
      throw UserError("a step takes from 0 to 1e9 seconds");
    }
    if (step.kind != Kind::end) {
      step.boundary = idOf(manifest_.boundaries, line.at(2).get<std::string>());
      step.bytes = line.size() > 3 ? line.at(3).get<int64_t>() : 0;
    }
    return step;
  }

  const Manifest& manifest_;
};

}  // namespace

std::string writeTimings(const Manifest& manifest, const std::vector<ScriptRecord>& scripts) {
  Json root = {{"program", manifest.program},
               {"source_hash", manifest.source_hash},
               {"fragments", Json::array()}};
  for (const ScriptRecord& script : scripts) {
    root["fragments"].push_back(
        {{"fragment", manifest.fragments[static_cast<size_t>(script.fragment)].name},
         {"replicas", script.replicas},
         {"of", script.of},
         {"iterations", stepsToJson(manifest, script)}});
  }
  return root.dump(1) + "\n";
}

void saveTimings(const std::string& file, const Manifest& manifest,
                 const std::vector<ScriptRecord>& scripts) {
  const std::string text = writeTimings(manifest, scripts);
  const std::string_view bytes = text;
  writeWholeFile(file, {&bytes, 1});
}

Result<std::vector<ScriptRecord>> readTimings(const std::string& json, const std::string& file,
                                              const Manifest& manifest) {
  try {
    return Reader(manifest).read(Json::parse(json));
  } catch (const UserError& error) {
    return Error{file + ": " + error.what()};
  } catch (const nlohmann::json::exception&) {
    return Error{file + ": this is not a file that --timings wrote"};
  }
}

}  // namespace fdg::host
