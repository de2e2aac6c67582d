#include "runtime/ConfigFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/NearestName.h"
#include "base/ReadFile.h"
#include "runtime/place/Yaml.h"

namespace fdg {
namespace {

using place::Mark;
using place::Yaml;

constexpr int kDeepest = 16;  // an alias can make a YAML map contain itself

class FileConfig {
 public:
  FileConfig(const VisitConfig& visit, const Manifest& manifest, const std::string& file)
      : visit_(visit), file_(file), yaml_(file) {
    for (const auto& field : manifest.config) {
      names_.push_back(field.name);
    }
  }

  void apply() {
    const std::optional<std::string> content = contentOf(file_);
    if (!content) {
      throw UserError("cannot read the config " + file_ + ": " + std::strerror(errno));
    }
    const auto document = yaml_.load(*content);
    if (document && !document->IsNull()) {
      applyMap(*document, "", 0);
    }
    if (!yaml_.clean()) {
      throw UserError(yaml_.error().message);
    }
  }

 private:
  void applyMap(const YAML::Node& map, const std::string& prefix, int depth) {
    const std::string what = prefix.empty() ? "the config" : prefix.substr(0, prefix.size() - 1);
    yaml_.entries(map, what, {}, [&](const std::string& key, const YAML::Node& value, Mark at) {
      if (value.IsMap() && depth < kDeepest) {
        applyMap(value, prefix + key + ".", depth + 1);
      } else {
        applyField(prefix + key, value, at);
      }
    });
  }

  void applyField(const std::string& name, const YAML::Node& value, Mark at) {
    if (std::ranges::find(names_, name) == names_.end()) {
      yaml_.mistake(
          at, "the config has no field \"" + name + "\"" + didYouMean(name, names_) +
                  (names_.empty() ? " (it has none)" : " (it has " + listNames(names_) + ")"));
      return;
    }
    if (!seen_.insert(name).second) {
      yaml_.mistake(at, name + " stands twice in the config");
    }
    std::string text;
    for (const auto& part : yaml_.texts(value, name)) {
      text += (text.empty() ? "" : ", ") + part;
    }
    if (value.IsSequence()) {
      text = "[" + text + "]";
    }
    try {
      setConfigField(visit_, name + "=" + text);
    } catch (const UserError& error) {
      // The sentence is made for --set; here the place in the file says where.
      const std::string sentence = error.what();
      yaml_.mistake(at, sentence.starts_with("--set ") ? sentence.substr(6) : sentence);
    }
  }

  const VisitConfig& visit_;
  std::string file_;
  Yaml yaml_;
  std::vector<std::string> names_;
  std::set<std::string> seen_;
};

}  // namespace

void applyConfig(const VisitConfig& visit, const Manifest& manifest, const std::string& file,
                 const std::vector<std::string>& sets) {
  if (!file.empty()) {
    FileConfig(visit, manifest, file).apply();
  }
  for (const auto& assignment : sets) {
    setConfigField(visit, assignment);
  }
}

}  // namespace fdg
