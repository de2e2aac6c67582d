#include "runtime/place/Mortality.h"

#include <algorithm>
#include <set>

#include "base/NearestName.h"
#include "runtime/place/Rules.h"
#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

std::string listed(const std::vector<std::string>& texts, const char* between) {
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "" : between) + text;
  }
  return all;
}

class Mortality {
 public:
  Mortality(const Manifest& plan, const Placement& placement)
      : plan_(plan), placement_(placement), group_of_(plan.fragments.size(), -1) {
    for (const Instance& instance : placement.instances) {
      for (const int fragment : instance.fragments) {
        group_of_[static_cast<size_t>(fragment)] = instance.group;
      }
    }
  }

  /// Why the others need every replica of a group; empty: they can do without.
  std::string whyNeeded(int group) const {
    for (const BoundaryInfo& boundary : plan_.boundaries) {
      if (isUnused(placement_.boundaries, boundary)) {
        continue;
      }
      if (boundary.producer_needs_result && groupOf(boundary.producer) == group) {
        if (const std::string why = within(boundary, group); !why.empty()) {
          return why;
        }
      }
      for (const int consumer : boundary.consumers) {
        if (const std::string why = across(boundary, consumer, group); !why.empty()) {
          return why;
        }
      }
    }
    return {};
  }

 private:
  int groupOf(int fragment) const { return group_of_[static_cast<size_t>(fragment)]; }
  Mode modeOf(const BoundaryInfo& boundary) const {
    return placement_.boundaries[static_cast<size_t>(boundary.id)].mode;
  }
  const std::string& name(int fragment) const {
    return plan_.fragments[static_cast<size_t>(fragment)].name;
  }
  bool isAlone(int group) const {
    return std::ranges::count(placement_.instances, group, &Instance::group) <= 1;
  }

  std::string across(const BoundaryInfo& boundary, int consumer, int group) const {
    const bool gives = groupOf(boundary.producer) == group;
    const bool takes = groupOf(consumer) == group;
    if (gives && takes) {
      return within(boundary, group);
    }
    return gives   ? whyGiverIsNeeded(boundary, consumer)
           : takes ? whyTakerIsNeeded(boundary, consumer)
                   : std::string();
  }

  /// Both ends in one group: what its replicas have to do with each other.
  std::string within(const BoundaryInfo& boundary, int group) const {
    const bool joins =
        isReduction(boundary.operation) || boundary.operation == OperationKind::all_gather;
    if (modeOf(boundary) != Mode::ordered || isAlone(group)) {
      return {};
    }
    if (joins) {
      return described(plan_, boundary) + " keeps its replicas in step";
    }
    return boundary.operation == OperationKind::broadcast
               ? described(plan_, boundary) + " compares its replicas with each other"
               : std::string();
  }

  std::string whyGiverIsNeeded(const BoundaryInfo& boundary, int consumer) const {
    const Mode mode = modeOf(boundary);
    const std::string start = described(plan_, boundary);
    if (mode == Mode::ordered) {
      return start + " is ordered, so " + name(consumer) + " waits for each of its messages";
    }
    if (mode == Mode::newest) {
      return start + " is read newest only, and " + name(consumer) +
             " would go on with what it was last given";
    }
    return boundary.operation == OperationKind::broadcast
               ? start + " is drained from one of its replicas only"
               : std::string();
  }

  std::string whyTakerIsNeeded(const BoundaryInfo& boundary, int consumer) const {
    const Mode mode = modeOf(boundary);
    const std::string start = described(plan_, boundary);
    if (mode == Mode::ordered) {
      return start + " is ordered, so " + name(boundary.producer) + " waits until " +
             name(consumer) + " has taken each message";
    }
    return mode == Mode::drain ? start + " is drained into it, and what it holds would be lost"
                               : std::string();
  }

  const Manifest& plan_;
  const Placement& placement_;
  std::vector<int> group_of_;
};

/// By group: why it is needed, whatever its ranks; empty where it is not.
std::vector<std::string> reasons(const Manifest& plan, const Placement& placement) {
  const Mortality mortality(plan, placement);
  std::vector<std::string> all;
  for (size_t g = 0; g < placement.groups.size(); ++g) {
    all.push_back(mortality.whyNeeded(static_cast<int>(g)));
  }
  return all;
}

/// Rank 0 and another one, which take each other's instances.
void swapWithFirst(Placement& placement, int rank) {
  for (Instance& instance : placement.instances) {
    if (instance.rank == 0 || instance.rank == rank) {
      instance.rank = rank - instance.rank;
    }
  }
}

std::string noteFor(const Placement& placement) {
  std::set<int> groups;
  std::set<int> ranks;
  for (const Instance& instance : placement.instances) {
    if (placement.may_die[static_cast<size_t>(instance.rank)]) {
      groups.insert(instance.group);
      ranks.insert(instance.rank);
    }
  }
  std::vector<std::string> names;
  for (const int group : groups) {
    names.push_back(placement.groups[static_cast<size_t>(group)]);
  }
  std::vector<std::string> numbers;
  for (const int rank : ranks) {
    numbers.push_back(std::to_string(rank));
  }
  return "the run goes on without " + std::string(ranks.size() == 1 ? "rank " : "ranks ") +
         listed(numbers, ", ") + " (" + listNames(names) +
         ") if they die, as long as one of each group is left; the death of any other ends it";
}

std::string refusal(const Placement& placement, const std::vector<std::string>& why) {
  std::vector<std::string> texts;
  for (size_t g = 0; g < why.size(); ++g) {
    if (placement.replicas[g] > 0) {
      texts.push_back(
          "group " + placement.groups[g] + ": " +
          (why[g].empty() ? "it shares its ranks with groups that are needed" : why[g]));
    }
  }
  return "on_failure: continue, but every rank of this run is needed (" + listed(texts, "; ") +
         "). A group can be done without where what it gives is drained, what it takes is read "
         "newest only, and its ranks are its own. Use on_failure: restart, or leave it out";
}

}  // namespace

std::string allowDeaths(const Manifest& plan, const Policy& policy, Placement& placement) {
  const std::vector<std::string> why = reasons(plan, placement);
  placement.may_die.assign(static_cast<size_t>(placement.ranks), true);
  for (const Instance& instance : placement.instances) {
    if (!why[static_cast<size_t>(instance.group)].empty()) {
      placement.may_die[static_cast<size_t>(instance.rank)] = false;
    }
  }
  const auto needed = std::ranges::find(placement.may_die, false);
  if (needed != placement.may_die.end()) {
    swapWithFirst(placement, static_cast<int>(needed - placement.may_die.begin()));
    *needed = true;
  }
  placement.may_die.front() = false;
  if (std::ranges::find(placement.may_die, true) == placement.may_die.end()) {
    return atMark(policy.file, policy.on_failure_mark, refusal(placement, why));
  }
  placement.notes.push_back(noteFor(placement));
  return {};
}

}  // namespace fdg::place
