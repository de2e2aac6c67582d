#include "runtime/place/Threads.h"

#include <algorithm>

#include "runtime/place/Yaml.h"

namespace fdg::place {

bool inThreads(const Policy& policy) { return std::ranges::any_of(policy.groups, &Group::threads); }

std::string whyNotThreads(const Policy& policy, const Cluster& cluster, int ranks) {
  const auto threaded = std::ranges::find(policy.groups, true, &Group::threads);
  if (threaded == policy.groups.end()) {
    return {};
  }
  const auto apart = std::ranges::find(policy.groups, false, &Group::threads);
  if (apart != policy.groups.end()) {
    return atMark(policy.file, apart->mark,
                  "group " + apart->name + " is in ranks and group " + threaded->name +
                      " in threads, but a run is either one process or one for each rank: say "
                      "in: threads for every group, or for none");
  }
  if (policy.on_failure != OnFailure::stop) {
    return atMark(policy.file, policy.on_failure_mark,
                  std::string("on_failure: ") +
                      (policy.on_failure == OnFailure::restart ? "restart" : "continue") +
                      " is for ranks, which are processes; threads of one process end together. "
                      "Leave it out, or leave in: threads out");
  }
  const std::vector<int> nodes = nodesOfRanks(cluster, ranks);
  if (!nodes.empty() && nodes.front() != nodes.back()) {
    return atMark(policy.file, threaded->mark,
                  "group " + threaded->name +
                      " is in threads, so the whole run is one process on one node, and these " +
                      std::to_string(ranks) + " would be on " +
                      std::to_string(nodes.back() - nodes.front() + 1) +
                      " nodes; use -n for fewer, or leave in: threads out");
  }
  return {};
}

}  // namespace fdg::place
