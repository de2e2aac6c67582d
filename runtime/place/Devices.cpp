#include "runtime/place/Devices.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

std::string noneFor(const Group& group, const std::string& where) {
  return "group " + group.name + " asks for a GPU and there is none " + where +
         "; use device: cpu or auto and a number of replicas";
}

/// The numbers of the GPUs that a group may use on a node; a sentence if they are not there.
Result<std::vector<int>> gpusFor(const Group& group, const Cluster& cluster, int node) {
  const int count = cluster.nodes[static_cast<size_t>(node)].gpus;
  const std::string where =
      cluster.nodes.size() == 1 ? "here" : "on node " + std::to_string(node) + " of this cluster";
  if (count == 0) {
    return Error{noneFor(group, where)};
  }
  std::vector<int> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  for (const int gpu : group.gpus) {
    if (gpu >= count) {
      return Error{"group " + group.name + " asks for GPU " + std::to_string(gpu) +
                   ", and the GPUs " + where + " are 0 to " + std::to_string(count - 1)};
    }
  }
  return group.gpus.empty() ? all : group.gpus;
}

}  // namespace

bool wantsGpu(const Group& group) {
  return group.device == DeviceChoice::gpu || group.count_kind == ReplicaCount::per_gpu;
}

std::string lackOfGpus(const Policy& policy, const std::vector<std::vector<int>>& owned,
                       const Cluster& cluster) {
  if (std::ranges::any_of(cluster.nodes, [](const Node& node) { return node.gpus > 0; })) {
    return {};
  }
  for (size_t g = 0; g < policy.groups.size(); ++g) {
    if (!owned[g].empty() && wantsGpu(policy.groups[g])) {
      return atMark(policy.file, policy.groups[g].mark, noneFor(policy.groups[g], "here"));
    }
  }
  return {};
}

std::string assignDevices(const Policy& policy, const Cluster& cluster, Placement& placement) {
  const std::vector<int> nodes = nodesOfRanks(cluster, placement.ranks);
  std::map<std::pair<int, int>, std::vector<int>> ranks;  // by group and node
  for (const Instance& instance : placement.instances) {
    auto& list = ranks[{instance.group, nodes[static_cast<size_t>(instance.rank)]}];
    if (std::ranges::find(list, instance.rank) == list.end()) {
      list.push_back(instance.rank);
    }
  }
  for (Instance& instance : placement.instances) {
    const Group& group = policy.groups[static_cast<size_t>(instance.group)];
    const int node = nodes[static_cast<size_t>(instance.rank)];
    if (!wantsGpu(group)) {
      continue;
    }
    auto found = gpusFor(group, cluster, node);
    if (!found) {
      return atMark(policy.file, group.mark, found.error());
    }
    const std::vector<int>& gpus = *found;
    const auto& list = ranks[{instance.group, node}];
    const auto turn = static_cast<size_t>(std::ranges::find(list, instance.rank) - list.begin());
    instance.device = "cuda:" + std::to_string(gpus[turn % gpus.size()]);
  }
  return {};
}

}  // namespace fdg::place
