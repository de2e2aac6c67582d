// What tests of placing share: policies from text, small clusters, and placements as lines.
#pragma once

#include <string>
#include <vector>

#include "runtime/place/Placement.h"
#include "tests/unit/place/Plans.h"

namespace fdg::place {

inline Policy policyFrom(const std::string& yaml) { return readPolicy(yaml, "p.yaml").orThrow(); }
inline Policy shipped(const std::string& name) {
  return findPolicy(name, {FDG_SOURCE "/policies"}).orThrow();
}

inline Cluster ranks(int n, int cores = 2) {
  return {.nodes = {{.ranks = n, .cores = cores}}, .ranks_are_fixed = true};
}
inline Cluster machine(int cores) {
  return {.nodes = {{.ranks = cores, .cores = cores}}, .ranks_are_fixed = false};
}

inline std::string errorOf(const Manifest& plan, const std::string& yaml,
                    const Cluster& cluster = machine(4)) {
  return place(plan, policyFrom(yaml), cluster).error();
}

/// "worker 0-4/8@0" for every instance: group, replicas, rank.
inline std::vector<std::string> shape(const Placement& placement) {
  std::vector<std::string> lines;
  for (const Instance& i : placement.instances) {
    lines.push_back(placement.groups[static_cast<size_t>(i.group)] + " " +
                    std::to_string(i.replicas.first) + "-" + std::to_string(i.replicas.last) + "/" +
                    std::to_string(i.replicas.count) + "@" + std::to_string(i.rank));
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace fdg::place
