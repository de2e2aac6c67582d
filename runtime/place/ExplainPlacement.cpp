#include <algorithm>
#include <map>

#include "base/NearestName.h"
#include "base/TextTable.h"
#include "runtime/place/Explain.h"
#include "runtime/place/Rules.h"
#include "runtime/place/Traffic.h"

namespace fdg::place {
namespace {

/// More ranks than this of one shape are one line.
constexpr int64_t kMostRankLines = 64;

std::string fragmentNames(const Manifest& plan, const std::vector<int>& ids) {
  std::string text;
  for (const int id : ids) {
    text += (text.empty() ? "" : ", ") + plan.fragments[static_cast<size_t>(id)].name;
  }
  return text;
}

std::string replicaText(const ReplicaRange& range) {
  if (range.count == 1) {
    return "the only one";
  }
  return (range.size() == 1 ? std::to_string(range.first)
                            : std::to_string(range.first) + "–" + std::to_string(range.last - 1)) +
         " of " + std::to_string(range.count);
}

std::string shareText(const ReplicaRange& range) {
  return range.size() == range.count
             ? "all"
             : std::to_string(range.size()) + "/" + std::to_string(range.count);
}

std::string rankSection(const Manifest& plan, const Placement& placement,
                        const std::vector<int>& nodes) {
  const bool several_nodes = nodes.back() > 0;
  std::vector<const Instance*> by_rank;
  for (const Instance& instance : placement.instances) {
    by_rank.push_back(&instance);
  }
  std::ranges::sort(by_rank, {}, [](const Instance* i) { return std::pair(i->rank, i->id); });
  std::vector<std::string> titles = {
      std::string(">") + unitOf(placement), "group", "replicas", "rows", "device", "fragments"};
  if (several_nodes) {
    titles.insert(titles.begin(), ">node");
  }
  TextTable table(titles);
  int64_t lines = 0;
  for (const Instance* instance : by_rank) {
    if (++lines > kMostRankLines) {
      break;
    }
    std::vector<std::string> cells = {std::to_string(instance->rank),
                                      placement.groups[static_cast<size_t>(instance->group)],
                                      replicaText(instance->replicas),
                                      shareText(instance->replicas),
                                      instance->device,
                                      fragmentNames(plan, instance->fragments)};
    if (several_nodes) {
      cells.insert(cells.begin(), std::to_string(nodes[static_cast<size_t>(instance->rank)]));
    }
    table.row(cells);
  }
  const auto left = static_cast<int64_t>(by_rank.size()) - kMostRankLines;
  return std::string(placement.threads ? "Threads\n" : "Ranks\n") + table.text() +
         (left > 0 ? "  … and " + std::to_string(left) + " more instances like these\n" : "");
}

std::string carrierText(const Traffic& traffic, const char* within, bool force_mpi) {
  std::vector<std::string> carriers;
  const auto add = [&](int64_t count, const char* name) {
    if (count > 0) {
      carriers.push_back(std::to_string(count) + " " + name);
    }
  };
  add(traffic.local, "local");
  add(force_mpi ? 0 : traffic.shared, within);
  add(traffic.remote + (force_mpi ? traffic.shared : 0), "MPI");
  return carriers.empty() ? "none" : listNames(carriers);
}

std::string settingsText(const BoundaryRule& rule) {
  const auto number = [](int64_t value) {
    return value < 0 ? std::string("any") : std::to_string(value);
  };
  const bool queues = rule.mode == Mode::ordered || rule.mode == Mode::drain;
  std::string text = queues ? "window " + std::to_string(rule.window) + ", " : "";
  text += rule.pack > 0 ? "pack " + number(rule.pack) + ", " : "";
  text += rule.take > 0 ? "take " + number(rule.take) + ", " : "";
  if (isDrained(rule.mode)) {
    text += "ahead " + number(rule.ahead) + ", behind " + number(rule.behind) + ", ";
  }
  if (rule.mode == Mode::newest && rule.max_staleness > 0) {
    text += "max staleness " + number(rule.max_staleness) + ", ";
  }
  return text.substr(0, text.empty() ? 0 : text.size() - 2);
}

std::string boundarySection(const Manifest& plan, const Placement& placement,
                            const std::vector<int>& nodes, bool force_mpi) {
  const std::vector<Traffic> traffic = predictTraffic(plan, placement, nodes);
  const char* within = placement.threads ? "queue" : "shared memory";
  TextTable table(
      {"boundary", "operation", "from", "to", "mode", "settings", "messages per execution"});
  for (const auto& boundary : plan.boundaries) {
    const auto index = static_cast<size_t>(boundary.id);
    const BoundaryRule& rule = placement.boundaries[index];
    const bool unused = isUnused(placement.boundaries, boundary);
    table.row({boundary.name, boundary.implicit ? "choice" : operationName(boundary.operation),
               plan.fragments[static_cast<size_t>(boundary.producer)].name,
               fragmentNames(plan, boundary.consumers), unused ? "not sent" : modeName(rule.mode),
               unused ? "" : settingsText(rule),
               unused                           ? ""
               : rule.mode == Mode::inline_call ? std::to_string(traffic[index].total()) + " calls"
                                                : carrierText(traffic[index], within, force_mpi)});
  }
  return table.empty() ? "Boundaries\n  none\n" : "Boundaries\n" + table.text();
}

std::string rateText(const Manifest& plan, const Placement& placement) {
  std::string text;
  for (const auto& members : rateClasses(plan, placement.boundaries)) {
    text += (text.empty() ? "{" : ", {") + fragmentNames(plan, members) + "}";
  }
  return text;
}

}  // namespace

std::string explainPlacement(const Manifest& plan, const Policy& policy, const Placement& placement,
                             const Cluster& cluster, const DryRunOptions& options) {
  const std::vector<int> nodes = nodesOfRanks(cluster, placement.ranks);
  const std::string name = policy.name.empty() ? policy.file : policy.name;
  std::string text = "Program " + plan.program + " under policy " + name + ": " +
                     std::to_string(placement.ranks) +
                     (placement.ranks == 1 ? " rank, "
                      : placement.threads  ? " threads of one process, "
                                           : " ranks, ") +
                     std::to_string(placement.instances.size()) +
                     (placement.instances.size() == 1 ? " instance\n" : " instances\n");
  if (!policy.about.empty()) {
    text += "  " + wrapText(policy.about, 96, "  ") + "\n";
  }
  text += "\n" + rankSection(plan, placement, nodes) + "\n" +
          boundarySection(plan, placement, nodes, options.force_mpi) + "\nRates\n  " +
          rateText(plan, placement) + "\n\nThe run ends when " +
          (placement.stop_group < 0
               ? std::string("every group's loop has ended")
               : "the loop of group " +
                     placement.groups[static_cast<size_t>(placement.stop_group)] + " has ended") +
          ".\n";
  for (const auto& note : placement.notes) {
    text += "Note: " + wrapText(note, 94, "  ") + "\n";
  }
  return text;
}

}  // namespace fdg::place
