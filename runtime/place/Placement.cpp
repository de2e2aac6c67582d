#include "runtime/place/Placement.h"

#include <algorithm>

#include "runtime/place/Assign.h"
#include "runtime/place/Devices.h"
#include "runtime/place/Layout.h"
#include "runtime/place/Mortality.h"
#include "runtime/place/Rules.h"
#include "runtime/place/Threads.h"
#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

std::string unreplicable(const Manifest& plan, const Policy& policy,
                         const std::vector<std::vector<int>>& owned,
                         const std::vector<int64_t>& replicas) {
  for (size_t g = 0; g < owned.size(); ++g) {
    if (replicas[g] <= 1) {
      continue;
    }
    const Group& group = policy.groups[g];
    const std::string start =
        "group " + group.name + " has " + std::to_string(replicas[g]) + " replicas, but ";
    for (const int id : owned[g]) {
      const FragmentInfo& fragment = plan.fragments[static_cast<size_t>(id)];
      if (!fragment.replicable.holds) {
        return atMark(policy.file, group.mark,
                      start + "fragment " + fragment.name +
                          " cannot be replicated: " + fragment.replicable.reason +
                          " (use replicas: 1 for it, in a group of its own)");
      }
      if (fragment.approximate && !policy.approximate) {
        return atMark(policy.file, group.mark,
                      start + "replicas of fragment " + fragment.name +
                          " together are not the same as one: " + fragment.approximate_reason +
                          " (a policy that accepts other results says approximate: true)");
      }
    }
  }
  return {};
}

int64_t instancesOf(const Placement& placement, int fragment) {
  return std::ranges::count_if(placement.instances, [&](const Instance& instance) {
    return std::ranges::find(instance.fragments, fragment) != instance.fragments.end();
  });
}

/// Whole messages go from a producer to one consumer: more consumers than producers would starve
/// some.
std::string starving(const Manifest& plan, const Placement& placement) {
  for (const auto& boundary : plan.boundaries) {
    const bool drained = isDrained(placement.boundaries[static_cast<size_t>(boundary.id)].mode);
    const bool whole_messages = boundary.operation == OperationKind::append ||
                                (drained && boundary.operation != OperationKind::broadcast);
    const int64_t producers = instancesOf(placement, boundary.producer);
    for (const int consumer : boundary.consumers) {
      const int64_t consumers = instancesOf(placement, consumer);
      if (whole_messages && consumers > producers) {
        return described(plan, boundary) + " goes from " + std::to_string(producers) +
               (producers == 1 ? " instance of " : " instances of ") +
               plan.fragments[static_cast<size_t>(boundary.producer)].name + " to " +
               std::to_string(consumers) + " of " +
               plan.fragments[static_cast<size_t>(consumer)].name +
               ", and a message goes to one of them: some would never get any. Give the consumer "
               "at most as many "
               "replicas";
      }
    }
  }
  return {};
}

/// With max_staleness an actor may wait for its learner; with ahead: any that learner, if it has
/// nothing to do, waits for what the actor sends.
std::string wouldWaitForEachOther(const Manifest& plan, const Placement& placement) {
  const auto classes = rateClasses(plan, placement.boundaries);
  const auto together = [&](int a, int b) {
    return std::ranges::any_of(classes, [&](const auto& members) {
      return std::ranges::count(members, a) > 0 && std::ranges::count(members, b) > 0;
    });
  };
  const auto flows = [&](const BoundaryInfo& boundary, int from, int to) {
    return together(boundary.producer, from) &&
           std::ranges::any_of(boundary.consumers, [&](int c) { return together(c, to); });
  };
  for (const BoundaryInfo& newest : plan.boundaries) {
    if (placement.boundaries[static_cast<size_t>(newest.id)].max_staleness == 0) {
      continue;
    }
    for (const BoundaryInfo& drained : plan.boundaries) {
      const BoundaryRule& rule = placement.boundaries[static_cast<size_t>(drained.id)];
      const bool back = std::ranges::any_of(newest.consumers, [&](int reader) {
        return flows(drained, reader, newest.producer) && !together(reader, newest.producer);
      });
      if (isDrained(rule.mode) && rule.ahead < 0 && back) {
        return "boundary " + newest.name + " has max_staleness, so its reader may wait for " +
               plan.fragments[static_cast<size_t>(newest.producer)].name +
               ", which with ahead: any at boundary " + drained.name +
               " may wait for that reader. Give " + drained.name +
               " a number there (16 is the default), or leave max_staleness out";
      }
    }
  }
  return {};
}

/// Boundaries that a policy loosened without effect, because others still join the two sides.
void noteRates(const Manifest& plan, Placement& placement) {
  const auto classes = rateClasses(plan, placement.boundaries);
  const auto classOf = [&](int fragment) {
    return std::ranges::find_if(classes, [&](const auto& members) {
      return std::ranges::find(members, fragment) != members.end();
    });
  };
  for (const auto& boundary : plan.boundaries) {
    if (placement.boundaries[static_cast<size_t>(boundary.id)].mode == Mode::ordered) {
      continue;
    }
    for (const int consumer : boundary.consumers) {
      if (classOf(boundary.producer) == classOf(consumer)) {
        placement.notes.push_back("boundary " + boundary.name + " is loosened, yet " +
                                  plan.fragments[static_cast<size_t>(boundary.producer)].name +
                                  " and " + plan.fragments[static_cast<size_t>(consumer)].name +
                                  " still run at one rate, because ordered boundaries join them");
      }
    }
  }
}

}  // namespace

Result<Placement> place(const Manifest& plan, const Policy& policy, const Cluster& cluster) {
  auto owned = assignFragments(plan, policy);
  if (!owned) {
    return Error{owned.error()};
  }
  if (const std::string fault = lackOfGpus(policy, *owned, cluster); !fault.empty()) {
    return Error{fault};
  }
  auto layout = layOut(policy, *owned, cluster);
  if (!layout) {
    return Error{layout.error()};
  }
  if (const std::string fault = unreplicable(plan, policy, *owned, layout->replicas);
      !fault.empty()) {
    return Error{fault};
  }
  if (const std::string fault = whyNotThreads(policy, cluster, layout->ranks); !fault.empty()) {
    return Error{fault};
  }
  Placement placement;
  std::vector<int> group_of(plan.fragments.size());
  for (size_t g = 0; g < owned->size(); ++g) {
    placement.groups.push_back(policy.groups[g].name);
    for (const int fragment : (*owned)[g]) {
      group_of[static_cast<size_t>(fragment)] = static_cast<int>(g);
    }
    // "all" means every group, even where one has that name.
    if (policy.stop != "all" && policy.groups[g].name == policy.stop) {
      placement.stop_group = static_cast<int>(g);
      if ((*owned)[g].empty()) {
        return Error{atMark(policy.file, policy.stop_mark,
                            "the run ends with group " + policy.stop + ", but " + plan.program +
                                " has no fragment for that group; say stop: all")};
      }
    }
  }
  auto rules = applyRules(plan, policy, group_of, layout->replicas);
  if (!rules) {
    return Error{rules.error()};
  }
  placement.instances = makeInstances(plan, policy, *owned, *layout);
  placement.ranks = layout->ranks;
  placement.threads = inThreads(policy) && layout->ranks > 1;
  placement.boundaries = std::move(*rules);
  placement.replicas = layout->replicas;
  placement.notes = std::move(layout->notes);
  if (const std::string fault = assignDevices(policy, cluster, placement); !fault.empty()) {
    return Error{fault};
  }
  if (const std::string fault = starving(plan, placement); !fault.empty()) {
    return Error{policy.file + ": " + fault};
  }
  if (const std::string fault = wouldWaitForEachOther(plan, placement); !fault.empty()) {
    return Error{policy.file + ": " + fault};
  }
  if (policy.on_failure == OnFailure::go_on) {
    if (const std::string fault = allowDeaths(plan, policy, placement); !fault.empty()) {
      return Error{fault};
    }
  }
  noteRates(plan, placement);
  return placement;
}

Placement collapse(Placement placement) {
  placement.ranks = 1;
  placement.threads = false;
  for (Instance& instance : placement.instances) {
    instance.rank = 0;
  }
  return placement;
}

}  // namespace fdg::place
