#include "runtime/place/Cluster.h"

#include <sched.h>

#include <algorithm>
#include <filesystem>
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

int countGpus() {
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
  return {.nodes = {{.ranks = std::max(1, ranks), .cores = usableCores(), .gpus = countGpus()}},
          .ranks_are_fixed = ranks > 0};
}

}  // namespace fdg::place
