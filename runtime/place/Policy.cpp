#include "runtime/place/Policy.h"

#include <algorithm>

#include "base/Manifest.h"
#include "base/NearestName.h"
#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

constexpr int64_t kMostReplicas = 1'000'000;
constexpr int64_t kMostMessages = 1'000'000;
constexpr int64_t kMost = int64_t{1} << 53;

/// Reads one policy; every method takes one part of the file.
class Reader {
 public:
  Reader(const std::string& text, const std::string& file) : yaml_(file) {
    policy_.file = file;
    if (const auto document = yaml_.load(text)) {
      if (document->IsNull()) {
        yaml_.mistake({}, "this policy is empty; it needs at least \"groups:\" with one group");
      } else {
        readTop(*document);
        checkReferences();
      }
    }
  }

  Result<Policy> result() const { return yaml_.clean() ? Result<Policy>(policy_) : yaml_.error(); }

 private:
  void readTop(const YAML::Node& top);
  void readGroups(const YAML::Node& groups);
  void readGroup(Group& group, const YAML::Node& node);
  void readReplicas(Group& group, const YAML::Node& node);
  void readDevice(Group& group, const YAML::Node& node);
  void readRules(const YAML::Node& rules);
  void readRule(Rule& rule, const YAML::Node& node);
  void checkDefaultRule(const Rule& rule);
  void checkReferences();
  void checkWith(const Group& group);

  /// The index of a word among the allowed ones, or a mistake that lists them.
  std::optional<size_t> choice(const YAML::Node& node, const std::string& key,
                               const std::vector<std::string>& allowed,
                               const std::string& more = "") {
    if (node.IsScalar()) {
      const auto found = std::ranges::find(allowed, node.Scalar());
      if (found != allowed.end()) {
        return static_cast<size_t>(found - allowed.begin());
      }
    }
    const std::string nearest =
        node.IsScalar() ? didYouMean(node.Scalar(), allowed) : std::string();
    yaml_.mistake(Yaml::markOf(node),
                  key + " takes " + orNames(allowed) + more + ", not " + shown(node) + nearest);
    return std::nullopt;
  }

  static std::string orNames(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
      text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    }
    return text;
  }

  /// A mistake leaves the default in place.
  template <class T, class V>
  static void keep(T& target, const std::optional<V>& value) {
    if (value) {
      target = static_cast<T>(*value);
    }
  }
  template <class T, class V>
  static void keep(std::optional<T>& target, const std::optional<V>& value) {
    if (value) {
      target = static_cast<T>(*value);
    }
  }

  Yaml yaml_;
  Policy policy_;
};

void Reader::readTop(const YAML::Node& top) {
  bool has_groups = false;
  yaml_.entries(
      top, "the policy",
      {"name", "about", "groups", "boundaries", "stop", "fuse", "approximate", "on_failure"},
      [&](const std::string& key, const YAML::Node& value, Mark) {
        if (key == "name" || key == "about") {
          keep(key == "name" ? policy_.name : policy_.about, yaml_.text(value, key));
        } else if (key == "groups") {
          has_groups = true;
          readGroups(value);
        } else if (key == "boundaries") {
          readRules(value);
        } else if (key == "stop") {
          policy_.stop_mark = Yaml::markOf(value);
          keep(policy_.stop, yaml_.text(value, key));
        } else if (key == "on_failure") {
          policy_.on_failure_mark = Yaml::markOf(value);
          keep(policy_.on_failure, choice(value, key, {"stop", "restart", "continue"}));
        } else {
          keep(key == "fuse" ? policy_.fuse : policy_.approximate, yaml_.boolean(value, key));
        }
      });
  if (!has_groups && top.IsMap()) {
    yaml_.mistake(Yaml::markOf(top),
                  "this policy has no \"groups:\"; every fragment needs a group");
  }
}

void Reader::readGroups(const YAML::Node& groups) {
  yaml_.entries(groups, "groups", {},
                [&](const std::string& name, const YAML::Node& value, Mark at) {
                  Group group;
                  group.name = name;
                  group.mark = at;
                  if (name.empty()) {
                    yaml_.mistake(at, "a group needs a name");
                  }
                  readGroup(group, value);
                  policy_.groups.push_back(std::move(group));
                });
  if (groups.IsMap() && groups.size() == 0) {
    yaml_.mistake(Yaml::markOf(groups), "groups is empty; every fragment needs a group");
  }
}

void Reader::readGroup(Group& group, const YAML::Node& node) {
  const std::string what = "group " + group.name;
  bool has_fragments = false;
  bool has_replicas = false;
  yaml_.entries(node, what, {"fragments", "replicas", "device", "with", "in", "optional", "fuse"},
                [&](const std::string& key, const YAML::Node& value, Mark) {
                  if (key == "fragments") {
                    has_fragments = true;
                    group.fragments = yaml_.texts(value, "fragments");
                    if (value.IsSequence() && value.size() == 0) {
                      yaml_.mistake(Yaml::markOf(value),
                                    what + " is empty: fragments lists no names");
                    }
                  } else if (key == "replicas") {
                    has_replicas = true;
                    readReplicas(group, value);
                  } else if (key == "device") {
                    readDevice(group, value);
                  } else if (key == "with") {
                    group.with = yaml_.text(value, key);
                  } else if (key == "in") {
                    keep(group.threads, choice(value, key, {"ranks", "threads"}));
                  } else if (key == "optional") {
                    keep(group.optional, yaml_.boolean(value, key));
                  } else {
                    group.fuse = yaml_.boolean(value, key);
                  }
                });
  if (!has_fragments && node.IsMap()) {
    yaml_.mistake(group.mark, what + " has no \"fragments:\" (roles, fragment names, or rest)");
  }
  if (group.with && !has_replicas) {
    group.count_kind = ReplicaCount::same;
  }
  if (group.fragments.size() > 1 &&
      std::ranges::find(group.fragments, "rest") != group.fragments.end()) {
    yaml_.mistake(
        group.mark,
        what + ": \"rest\" stands alone: it takes every fragment that no other group names");
  }
}

void Reader::readReplicas(Group& group, const YAML::Node& node) {
  const std::vector<std::string> words = {"fill", "per-core", "per-gpu", "per-node"};
  const auto word = node.IsScalar() ? std::ranges::find(words, node.Scalar()) : words.end();
  if (word != words.end()) {
    group.count_kind = static_cast<ReplicaCount>(1 + (word - words.begin()));
    return;
  }
  group.count_kind = ReplicaCount::number;
  keep(group.replicas, yaml_.integer(node, "replicas", 1, kMostReplicas, words));
}

void Reader::readDevice(Group& group, const YAML::Node& node) {
  if (!node.IsMap()) {
    keep(group.device, choice(node, "device", {"auto", "cpu", "gpu"}, " (or {gpu: [0, 2]}: those GPUs)"));
    return;
  }
  yaml_.entries(node, "device", {"gpu"}, [&](const std::string&, const YAML::Node& value, Mark) {
    group.device = DeviceChoice::gpu;
    if (!value.IsSequence() || value.size() == 0) {
      yaml_.mistake(Yaml::markOf(value),
                    "gpu takes a list of GPU numbers such as [0, 2], not " +
                        (value.IsSequence() ? "an empty one" : shown(value)));
      return;
    }
    for (const auto& element : value) {
      if (const auto number = yaml_.integer(element, "gpu", 0, 1023)) {
        group.gpus.push_back(static_cast<int>(*number));
      }
    }
  });
}

void Reader::readRules(const YAML::Node& rules) {
  yaml_.entries(rules, "boundaries", {},
                [&](const std::string& selector, const YAML::Node& value, Mark at) {
                  Rule rule;
                  rule.selector = selector;
                  rule.mark = at;
                  readRule(rule, value);
                  if (selector == "default") {
                    checkDefaultRule(rule);
                  }
                  policy_.rules.push_back(std::move(rule));
                });
}

void Reader::readRule(Rule& rule, const YAML::Node& node) {
  const auto numberOrAny = [&](const YAML::Node& value,
                               const std::string& key) -> std::optional<int64_t> {
    return value.IsScalar() && value.Scalar() == "any"
               ? -1
               : yaml_.integer(value, key, 0, kMost, {"any"});
  };
  yaml_.entries(
      node, "boundary " + rule.selector,
      {"mode", "window", "take", "pack", "ahead", "behind", "max_staleness", "optional"},
      [&](const std::string& key, const YAML::Node& value, Mark) {
        if (key == "mode") {
          keep(rule.mode, choice(value, key, {"ordered", "drain", "newest", "inline"}));
        } else if (key == "window") {
          keep(rule.window, yaml_.integer(value, key, 1, kMostMessages));
        } else if (key == "optional") {
          keep(rule.optional, yaml_.boolean(value, key));
        } else if (key == "ahead" || key == "behind") {
          (key == "ahead" ? rule.ahead : rule.behind) = numberOrAny(value, key);
        } else {
          auto& target = key == "take" ? rule.take : key == "pack" ? rule.pack : rule.max_staleness;
          target = yaml_.integer(value, key, 1, kMost);
        }
      });
}

void Reader::checkDefaultRule(const Rule& rule) {
  if (rule.mode && *rule.mode != Mode::ordered) {
    yaml_.mistake(rule.mark,
                  "the default mode is always ordered; drain, newest and inline are said boundary "
                  "by boundary, "
                  "or by operation");
  }
  if (rule.take || rule.pack || rule.ahead || rule.behind || rule.max_staleness) {
    yaml_.mistake(rule.mark, "the default rule takes mode and window only");
  }
}

void Reader::checkReferences() {
  std::vector<std::string> stops = {"all"};
  int rest_groups = 0;
  for (const Group& group : policy_.groups) {
    stops.push_back(group.name);
    checkWith(group);
    if (group.fragments == std::vector<std::string>{"rest"} && ++rest_groups == 2) {
      yaml_.mistake(group.mark, "a second group takes the rest; only one can");
    }
  }
  if (!policy_.groups.empty() && std::ranges::find(stops, policy_.stop) == stops.end()) {
    yaml_.mistake(policy_.stop_mark, "stop takes all or the name of a group (" + listNames(stops) +
                                         "), not \"" + policy_.stop + "\"" +
                                         didYouMean(policy_.stop, stops));
  }
}

void Reader::checkWith(const Group& group) {
  if (!group.with) {
    return;
  }
  std::vector<std::string> others;
  for (const Group& other : policy_.groups) {
    if (other.name != group.name) {
      others.push_back(other.name);
    }
  }
  const auto leader = std::ranges::find(policy_.groups, *group.with, &Group::name);
  if (*group.with == group.name || leader == policy_.groups.end()) {
    yaml_.mistake(group.mark, "group " + group.name + " is placed with \"" + *group.with +
                                  "\", which is no other group" + didYouMean(*group.with, others));
  } else if (leader->with) {
    yaml_.mistake(group.mark, "group " + group.name + " is placed with " + leader->name +
                                  ", which is itself placed with " + *leader->with +
                                  "; name the group that has ranks of its own");
  }
}

}  // namespace

Result<Policy> readPolicy(const std::string& text, const std::string& file) {
  return Reader(text, file).result();
}

}  // namespace fdg::place
