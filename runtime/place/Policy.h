// A distribution policy as read from YAML: groups of fragments and the behaviour of boundaries.
// docs/policies.md describes every key. Reading never crashes on any bytes; every mistake is
// reported as file:line:column, what is wrong, what is allowed, and the nearest known name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/Result.h"

namespace fdg::place {

/// Where something stands in the policy file, for messages about it later on.
struct Mark {
  int line = 0;
  int column = 0;
};

enum class Mode { ordered, drain, newest, inline_call };
/// What consumes the boundary runs once per message.
inline bool isDrained(Mode mode) { return mode == Mode::drain || mode == Mode::inline_call; }
/// `same`: as many as the group that `with` names.
enum class ReplicaCount { number, fill, per_core, per_gpu, per_node, same };
enum class DeviceChoice { automatic, cpu, gpu };
enum class OnFailure { stop, restart, go_on };

struct Group {
  std::string name;
  std::vector<std::string> fragments;  ///< Roles, fragment or variable names; "rest" stands alone.
  ReplicaCount count_kind = ReplicaCount::number;
  int64_t replicas = 1;
  DeviceChoice device = DeviceChoice::automatic;
  std::vector<int> gpus;
  std::optional<std::string> with;  ///< Same ranks as that group.
  bool threads = false;
  bool optional = false;
  std::optional<bool> fuse;
  Mark mark;
};

/// One entry under `boundaries`: by `default`, an operation, or a boundary's name.
struct Rule {
  std::string selector;
  std::optional<Mode> mode;
  std::optional<int> window;
  std::optional<int64_t> pack, take, ahead, behind, max_staleness;  ///< −1: any.
  bool optional = false;  ///< A plan may lack a boundary of that name.
  Mark mark;
};

struct Policy {
  std::string file;
  std::string name;
  std::string about;
  std::vector<Group> groups;
  std::vector<Rule> rules;
  /// Replicas of every `fill` group; absent: what the ranks, or without -n the cores, leave.
  std::optional<int64_t> fill_replicas;
  std::string stop = "all";
  Mark stop_mark;
  bool fuse = true;
  bool approximate = false;
  OnFailure on_failure = OnFailure::stop;
  Mark on_failure_mark;
};

/// From YAML text; `file` is for messages.
Result<Policy> readPolicy(const std::string& text, const std::string& file);

/// A path, or a name looked up as NAME.yaml in `folders`. The error lists the names there are.
Result<Policy> findPolicy(const std::string& name_or_path, const std::vector<std::string>& folders);

}  // namespace fdg::place
