#include "runtime/host/Pace.h"

#include <algorithm>
#include <set>

namespace fdg::host {
namespace {

bool onlyFollows(const Manifest& manifest, const place::Placement& placement,
                 const std::vector<int>& rate_class, int fragment) {
  const auto inClass = [&](int f) {
    return rate_class[static_cast<size_t>(f)] == rate_class[static_cast<size_t>(fragment)];
  };
  bool has_input = false;
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    const bool newest =
        placement.boundaries[static_cast<size_t>(boundary.id)].mode == place::Mode::newest;
    const bool from_class = inClass(boundary.producer);
    for (const int consumer : boundary.consumers) {
      if (from_class != inClass(consumer)) {
        if (from_class || !newest) {
          return false;
        }
        has_input = true;
      }
    }
  }
  return has_input;
}

/// Fragments that a chain of boundaries joins with one of these: they learn when it has ended.
std::set<int> joinedWith(const Manifest& manifest, std::set<int> fragments) {
  for (size_t before = 0; before != fragments.size();) {
    before = fragments.size();
    for (const BoundaryInfo& boundary : manifest.boundaries) {
      std::vector<int> ends = boundary.consumers;
      ends.push_back(boundary.producer);
      if (std::ranges::any_of(ends, [&](int end) { return fragments.contains(end); })) {
        fragments.insert(ends.begin(), ends.end());
      }
    }
  }
  return fragments;
}

bool isBesideStopGroup(const Manifest& manifest, const place::Placement& placement,
                       const std::vector<int>& rate_class, int fragment) {
  if (placement.stop_group < 0) {
    return false;
  }
  std::set<int> stopping;
  for (const place::Instance& instance : placement.instances) {
    if (instance.group == placement.stop_group) {
      stopping.insert(instance.fragments.begin(), instance.fragments.end());
    }
  }
  const bool in_its_rate = std::ranges::any_of(stopping, [&](int other) {
    return rate_class[static_cast<size_t>(other)] == rate_class[static_cast<size_t>(fragment)];
  });
  return !in_its_rate && joinedWith(manifest, stopping).contains(fragment);
}

}  // namespace

bool isOrdered(const place::Placement& placement) {
  return std::ranges::all_of(placement.boundaries, [](const place::BoundaryRule& rule) {
    return rule.mode == place::Mode::ordered;
  });
}

bool inStep(const Manifest& manifest, const place::Placement& placement, const Topology& topology) {
  std::set<int> classes;
  for (const LoopInfo& loop : manifest.loops) {
    for (const int fragment : loop.fragments) {
      classes.insert(topology.rate_class[static_cast<size_t>(fragment)]);
    }
  }
  return isOrdered(placement) && classes.size() <= 1;
}

Pace paceOf(const Manifest& manifest, const place::Placement& placement, const Topology& topology,
            int fragment) {
  return {isBesideStopGroup(manifest, placement, topology.rate_class, fragment),
          onlyFollows(manifest, placement, topology.rate_class, fragment)};
}

}  // namespace fdg::host
