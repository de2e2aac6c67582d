#include "runtime/ConfigFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
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
      const bool is_field = std::ranges::find(names_, prefix + key) != names_.end();
      if (value.IsMap() && !is_field && depth < kDeepest) {
        applyMap(value, prefix + key + ".", depth + 1);
      } else {
        applyField(prefix + key, value, at);
      }
    });
  }

  /// "opt.rate, opt.decay" for "opt"; nothing if it is no group of fields.
  std::string fieldsOf(const std::string& group) const {
    std::vector<std::string> fields;
    std::ranges::copy_if(names_, std::back_inserter(fields),
                         [&](const std::string& each) { return each.starts_with(group + "."); });
    return fields.empty() ? "" : listNames(fields);
  }

  /// As --set has it: "8", "[8, 16]", "[[8, 16], 4]".
  static std::string textOf(const YAML::Node& value, int depth = 0) {
    if (!value.IsSequence() || depth == kDeepest) {
      return value.IsScalar() ? value.Scalar() : place::shown(value);
    }
    std::string text;
    for (const auto& part : value) {
      text += (text.empty() ? "" : ", ") + textOf(part, depth + 1);
    }
    return "[" + text + "]";
  }

  void applyField(const std::string& name, const YAML::Node& value, Mark at) {
    const bool is_field = std::ranges::find(names_, name) != names_.end();
    if (const std::string fields = fieldsOf(name); !is_field && !fields.empty()) {
      if (!value.IsNull()) {  // all its lines may be comments
        yaml_.mistake(at, name + " is a group of fields, not " + place::shown(value) +
                              "; write each in a line below it (it has " + fields + ")");
      }
      return;
    }
    if (!is_field) {
      yaml_.mistake(
          at, "the config has no field \"" + name + "\"" + didYouMean(name, names_) +
                  (names_.empty() ? " (it has none)" : " (it has " + listNames(names_) + ")"));
      return;
    }
    if (!seen_.insert(name).second) {
      yaml_.mistake(at, name + " stands twice in the config");
    }
    if (value.IsNull()) {
      yaml_.mistake(at, name +
                            " has no value; leave the line out, or write one behind the colon (an "
                            "empty text is \"\", an empty list [])");
      return;
    }
    try {
      setConfigField(visit_, name + "=" + textOf(value));
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
