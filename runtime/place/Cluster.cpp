#include "runtime/place/Cluster.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <thread>

namespace fdg::place {
namespace {

/// The cores this process may use, which in a container or a batch job are fewer than the machine
/// has.
int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return std::max(1, CPU_COUNT(&set));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// The GPUs this process may use, which CUDA numbers from 0.
int countGpus() {
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr) {
    const std::string_view list = visible;
    const bool none = list.empty() || list.starts_with('-') || list == "NoDevFiles";
    return none ? 0 : 1 + static_cast<int>(std::ranges::count(list, ','));
  }
  int count = 0;
  std::error_code missing;
  while (std::filesystem::exists("/dev/nvidia" + std::to_string(count), missing)) {
    ++count;
  }
  return count;
}

}  // namespace

int Cluster::ranks() const {
  int sum = 0;
  for (const Node& node : nodes) {
    sum += node.ranks;
  }
  return sum;
}

int Cluster::cores() const {
  int sum = 0;
  for (const Node& node : nodes) {
    sum += node.cores;
  }
  return sum;
}

Cluster thisMachine(int ranks) {
  const int cores = usableCores();
  return {.nodes = {{.ranks = ranks > 0 ? ranks : cores, .cores = cores, .gpus = countGpus()}},
          .ranks_are_fixed = ranks > 0};
}

Cluster startedRanks(const std::vector<int>& leaders) {
  Cluster cluster = thisMachine(static_cast<int>(leaders.size()));
  Node node = cluster.nodes.front();
  node.ranks = 0;
  cluster.nodes.clear();
  std::map<int, int> nodes;
  for (const int leader : leaders) {
    const auto [at, is_new] = nodes.try_emplace(leader, static_cast<int>(nodes.size()));
    if (is_new) {
      cluster.nodes.push_back(node);
    }
    ++cluster.nodes[static_cast<size_t>(at->second)].ranks;
    cluster.node_of.push_back(at->second);
  }
  return cluster;
}

Cluster firstRanks(Cluster cluster, int ranks) {
  cluster.ranks_are_fixed = true;
  for (size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (ranks <= cluster.nodes[n].ranks) {
      cluster.nodes[n].ranks = ranks;
      cluster.nodes.resize(n + 1);
      return cluster;
    }
    ranks -= cluster.nodes[n].ranks;
  }
  return cluster;
}

std::vector<int> nodesOfRanks(const Cluster& cluster, int ranks) {
  if (!cluster.node_of.empty()) {
    return cluster.node_of;
  }
  std::vector<int> nodes;
  for (size_t n = 0; n < cluster.nodes.size(); ++n) {
    nodes.insert(nodes.end(), static_cast<size_t>(cluster.nodes[n].ranks), static_cast<int>(n));
  }
  nodes.resize(static_cast<size_t>(ranks), static_cast<int>(cluster.nodes.size()) - 1);
  return nodes;
}

}  // namespace fdg::place
