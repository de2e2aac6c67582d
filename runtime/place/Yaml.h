// YAML text → checked values, with every mistake as "file:line:column: sentence".
//
// What the reader of a file needs on top of yaml-cpp: no bytes crash it (binary junk, deep nesting,
// second documents and doubled keys are sentences), keys are checked against the known ones with
// the nearest name, and mistakes are collected so that a person sees them all at once. Threads: one
// per object.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/Result.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

class Yaml {
 public:
  explicit Yaml(std::string file) : file_(std::move(file)) {}

  /// The only document in `text`; nothing (and a mistake) if it cannot be read.
  std::optional<YAML::Node> load(const std::string& text);

  using Use = std::function<void(const std::string& key, const YAML::Node& value, Mark at)>;
  /// Calls `use` for every entry of a map. `what` names the map in messages ("group worker");
  /// `known` are the keys it may have, empty: any. A key that stands twice is a mistake and used
  /// once.
  void entries(const YAML::Node& map, const std::string& what,
               const std::vector<std::string>& known, const Use& use);

  /// Scalars; nothing (and a mistake) if the node is not one of that kind. `key` names it in
  /// messages.
  std::optional<std::string> text(const YAML::Node& node, const std::string& key);
  std::optional<bool> boolean(const YAML::Node& node, const std::string& key);
  /// `words`: what it also takes, for the message.
  std::optional<int64_t> integer(const YAML::Node& node, const std::string& key, int64_t least,
                                 int64_t most, const std::vector<std::string>& words = {});
  /// One scalar, or a list of them.
  std::vector<std::string> texts(const YAML::Node& node, const std::string& key);

  void mistake(Mark at, const std::string& sentence);
  bool clean() const { return mistakes_.empty(); }
  /// All mistakes, one per line, in the order they stand in the file.
  Error error() const;

  static Mark markOf(const YAML::Node& node);

 private:
  bool plainText(const std::string& text);

  std::string file_;
  std::multimap<std::pair<int, int>, std::string> mistakes_;  // by line and column
};

/// "file:line:column: sentence"; the place is left out where it is not known.
std::string atMark(const std::string& file, Mark mark, const std::string& sentence);

/// What the node holds, shortened, for messages: `"fast"`, a list, a map, nothing.
std::string shown(const YAML::Node& node);

}  // namespace fdg::place
