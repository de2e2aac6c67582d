#include "runtime/place/Rules.h"

#include <algorithm>
#include <numeric>

#include "base/NearestName.h"
#include "runtime/place/Threads.h"
#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

/// A boundary's rule while it is put together: where each key came from, for messages.
struct Draft {
  BoundaryRule rule;
  const Rule* mode_from = nullptr;
  const Rule* window_from = nullptr;
  const Rule* queue_only = nullptr;  // the rule that said pack or take
  const char* queue_key = "";
  const Rule* drained_only = nullptr;  // the rule that said ahead or behind
  const char* drained_key = "";
  const Rule* newest_only = nullptr;  // the rule that said max_staleness
};

void overlay(Draft& draft, const Rule& rule) {
  BoundaryRule& out = draft.rule;
  if (rule.mode) {
    out.mode = *rule.mode;
    draft.mode_from = &rule;
  }
  if (rule.window) {
    out.window = *rule.window;
    draft.window_from = &rule;
  }
  const auto keep = [&](const std::optional<int64_t>& value, int64_t& target, const Rule*& from,
                        const char*& said, const char* key) {
    if (value) {
      target = *value;
      from = &rule;
      said = key;
    }
  };
  keep(rule.pack, out.pack, draft.queue_only, draft.queue_key, "pack");
  keep(rule.take, out.take, draft.queue_only, draft.queue_key, "take");
  keep(rule.ahead, out.ahead, draft.drained_only, draft.drained_key, "ahead");
  keep(rule.behind, out.behind, draft.drained_only, draft.drained_key, "behind");
  if (rule.max_staleness) {
    out.max_staleness = *rule.max_staleness;
    draft.newest_only = &rule;
  }
}

std::string withoutPeriod(std::string text) {
  while (text.ends_with('.') || text.ends_with(' ')) {
    text.pop_back();
  }
  return text;
}

/// Checks one finished rule against the boundary's facts; a sentence, or nothing.
class Facts {
 public:
  Facts(const Manifest& plan, const Policy& policy, const std::vector<int>& group_of,
        const std::vector<int64_t>& replicas)
      : plan_(plan), policy_(policy), group_of_(group_of), replicas_(replicas) {}

  std::string refusal(const BoundaryInfo& boundary, const Draft& draft) const {
    const Mode mode = draft.rule.mode;
    if (mode == Mode::inline_call && !inThreads(policy_)) {
      return at(draft.mode_from,
                described(plan_, boundary) +
                    " asks for mode inline, in which the sender's thread does what the receiver "
                    "would do with the message; that needs in: threads in every group. Say so, or "
                    "use drain");
    }
    if (mode != Mode::ordered) {
      const std::string reason = whyNot(boundary, mode);
      if (!reason.empty()) {
        return at(draft.mode_from, described(plan_, boundary) + " cannot be " + done(mode) + ": " +
                                       withoutPeriod(reason) +
                                       ". Keep it ordered, or use another policy");
      }
    }
    return wrongKey(described(plan_, boundary) + " is " + modeName(mode), draft);
  }

 private:
  std::string at(const Rule* rule, const std::string& sentence) const {
    return atMark(policy_.file, rule == nullptr ? Mark{} : rule->mark, sentence);
  }

  /// A key that is for another mode. `boundary` says which mode it has.
  std::string wrongKey(const std::string& boundary, const Draft& draft) const {
    const Mode mode = draft.rule.mode;
    if (draft.queue_only != nullptr && mode != Mode::drain) {
      return at(draft.queue_only, draft.queue_key + forDrained(boundary));
    }
    if (draft.drained_only != nullptr && !isDrained(mode)) {
      return at(draft.drained_only, draft.drained_key + forDrained(boundary));
    }
    if (draft.newest_only != nullptr && mode != Mode::newest) {
      return at(draft.newest_only,
                "max_staleness is for boundaries with mode: newest; " + boundary);
    }
    if (mode == Mode::inline_call && draft.window_from != nullptr &&
        draft.window_from->selector != "default") {
      return at(draft.window_from,
                "window is for messages under way; " + boundary + " and has none. Leave it out");
    }
    return {};
  }

  static std::string forDrained(const std::string& boundary) {
    return " is for drained boundaries; " + boundary + ". Add mode: drain, or leave the key out";
  }

  static const char* done(Mode mode) {
    return mode == Mode::newest  ? "read newest only"
           : mode == Mode::drain ? "drained"
                                 : "called inline";
  }

  std::string whyNot(const BoundaryInfo& boundary, Mode mode) const {
    const Fact& fact = mode == Mode::newest  ? boundary.newest_able
                       : mode == Mode::drain ? boundary.drainable
                                             : boundary.callable;
    const bool says_why = !fact.holds && !fact.reason.empty();
    if (!boundary.loose && says_why && fact.reason.find("loose") != std::string::npos) {
      return fact.reason;
    }
    if (!boundary.loose) {
      return std::string(
                 "the program does not mark it loose, so stale or reordered values would change "
                 "the "
                 "algorithm (its author can allow it: fdg::") +
             operationName(boundary.operation) + ".loose())" +
             (says_why ? "; besides, " + fact.reason : "");
    }
    if (!fact.holds) {
      return says_why ? fact.reason : "the compiler did not find it safe";
    }
    return isReduction(boundary.operation) ? whyNotReduction(boundary, mode) : std::string();
  }

  std::string whyNotReduction(const BoundaryInfo& boundary, Mode mode) const {
    if (mode == Mode::newest) {
      return "a reduction needs a term of every replica, and newest would skip some";
    }
    if (boundary.producer_needs_result) {
      return "the fragment that gives a term also reads the result, so it has to wait for it";
    }
    for (const int consumer : boundary.consumers) {
      const int group = group_of_[static_cast<size_t>(consumer)];
      if (consumer == boundary.producer) {
        return "it keeps the replicas of one fragment in step";
      }
      if (replicas_[static_cast<size_t>(group)] > 1) {
        return "drained, every replica of " + plan_.fragments[static_cast<size_t>(consumer)].name +
               " would take the terms in an order of its own and they would drift apart; it needs "
               "replicas: 1 "
               "in group " +
               policy_.groups[static_cast<size_t>(group)].name;
      }
    }
    return {};
  }

  const Manifest& plan_;
  const Policy& policy_;
  const std::vector<int>& group_of_;
  const std::vector<int64_t>& replicas_;
};

std::vector<std::string> selectorsOf(const Manifest& plan) {
  std::vector<std::string> names;
  for (const auto& boundary : plan.boundaries) {
    if (!boundary.implicit) {
      names.push_back(boundary.name);
    }
  }
  return names;
}

std::string badSelector(const Manifest& plan, const Policy& policy, const Rule& rule) {
  if (rule.selector == "default" || operationFromName(rule.selector)) {
    return {};
  }
  const auto found = std::ranges::find(plan.boundaries, rule.selector, &BoundaryInfo::name);
  if (found != plan.boundaries.end()) {
    const bool changes_order = rule.mode && *rule.mode != Mode::ordered;
    return found->implicit && changes_order
               ? atMark(policy.file, rule.mark,
                        rule.selector + " is the outcome of the condition at " + plan.source + ":" +
                            std::to_string(found->line) + "; such choices are always ordered")
               : std::string();
  }
  if (rule.optional) {
    return {};
  }
  std::vector<std::string> names = selectorsOf(plan);
  const std::string there = names.empty() ? "it has none" : "it has " + listNames(names);
  for (int kind = 0; kind <= static_cast<int>(OperationKind::reduce_any); ++kind) {
    names.emplace_back(operationName(static_cast<OperationKind>(kind)));
  }
  return atMark(policy.file, rule.mark,
                plan.program + " has no boundary \"" + rule.selector + "\"" +
                    didYouMean(rule.selector, names) + " (" + there +
                    "; default and the names of operations work too). Where a plan may "
                    "lack it, say optional: true");
}

Draft draftFor(const Policy& policy, const BoundaryInfo& boundary) {
  Draft draft;
  std::vector<std::string> selectors = {"default"};
  if (!boundary.implicit) {
    selectors.emplace_back(operationName(boundary.operation));
  }
  selectors.push_back(boundary.name);
  for (const auto& selector : selectors) {
    for (const Rule& rule : policy.rules) {
      if (rule.selector == selector) {
        overlay(draft, rule);
      }
    }
  }
  return draft;
}

}  // namespace

const char* modeName(Mode mode) {
  switch (mode) {
    case Mode::ordered:
      return "ordered";
    case Mode::drain:
      return "drain";
    case Mode::newest:
      return "newest";
    case Mode::inline_call:
      return "inline";
  }
  return "";
}

std::string described(const Manifest& plan, const BoundaryInfo& boundary) {
  return "boundary " + boundary.name + " (" + operationName(boundary.operation) + " at " +
         plan.source + ":" + std::to_string(boundary.line) + ")";
}

Result<std::vector<BoundaryRule>> applyRules(const Manifest& plan, const Policy& policy,
                                             const std::vector<int>& group_of,
                                             const std::vector<int64_t>& replicas) {
  for (const Rule& rule : policy.rules) {
    if (const std::string fault = badSelector(plan, policy, rule); !fault.empty()) {
      return Error{fault};
    }
  }
  const Facts facts(plan, policy, group_of, replicas);
  std::vector<BoundaryRule> rules;
  for (const auto& boundary : plan.boundaries) {
    const Draft draft = draftFor(policy, boundary);
    if (const std::string fault = facts.refusal(boundary, draft); !fault.empty()) {
      return Error{fault};
    }
    rules.push_back(draft.rule);
  }
  return rules;
}

bool isUnused(const std::vector<BoundaryRule>& rules, const BoundaryInfo& boundary) {
  return boundary.only_for_drain >= 0 &&
         isDrained(rules[static_cast<size_t>(boundary.only_for_drain)].mode);
}

std::vector<std::vector<int>> rateClasses(const Manifest& plan,
                                          const std::vector<BoundaryRule>& rules) {
  std::vector<int> root(plan.fragments.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int f) {
    while (root[static_cast<size_t>(f)] != f) {
      f = root[static_cast<size_t>(f)];
    }
    return f;
  };
  for (const auto& boundary : plan.boundaries) {
    if (rules[static_cast<size_t>(boundary.id)].mode != Mode::ordered ||
        isUnused(rules, boundary)) {
      continue;
    }
    for (const int consumer : boundary.consumers) {
      const int a = find(boundary.producer);
      const int b = find(consumer);
      root[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<std::vector<int>> classes(plan.fragments.size());
  for (size_t f = 0; f < classes.size(); ++f) {
    classes[static_cast<size_t>(find(static_cast<int>(f)))].push_back(static_cast<int>(f));
  }
  std::erase_if(classes, [](const auto& members) { return members.empty(); });
  return classes;
}

}  // namespace fdg::place
