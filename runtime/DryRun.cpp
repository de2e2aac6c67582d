#include "runtime/DryRun.h"

#include "base/Check.h"
#include "base/NearestName.h"
#include "base/ReadFile.h"
#include "runtime/forecast/Forecast.h"
#include "runtime/host/Timings.h"
#include "runtime/place/ClusterFile.h"
#include "runtime/place/Explain.h"
#include "runtime/place/Placement.h"

namespace fdg {
namespace {

std::string contentFor(const std::string& option, const std::string& path) {
  const std::optional<std::string> content = contentOf(path);
  if (!content) {
    throw UserError(option + " " + path + ": there is no such file, or it cannot be read");
  }
  if (content->empty()) {
    throw UserError(option + " " + path + ": this file is empty");
  }
  return *content;
}

place::Cluster describedCluster(const Options& options) {
  place::Cluster cluster =
      place::readCluster(contentFor("--cluster", options.cluster), options.cluster).orThrow();
  if (options.ranks > cluster.ranks()) {
    throw UserError("-n " + std::to_string(options.ranks) + ": the cluster of " + options.cluster +
                    " has room for " + std::to_string(cluster.ranks()) + " ranks");
  }
  cluster.within.is_asked = options.force_mpi;
  return options.ranks > 0 ? place::firstRanks(std::move(cluster), options.ranks) : cluster;
}

std::vector<forecast::Timings> measuredTimings(const Options& options, const Manifest& manifest) {
  std::vector<forecast::Timings> measured;
  for (const std::string& path : options.timings) {
    measured.push_back(host::readTimings(contentFor("--timings", path), path, manifest).orThrow());
  }
  return measured;
}

std::string ranksPerNode(const place::Cluster& cluster, int ranks) {
  std::vector<int> count(cluster.nodes.size());
  for (const int node : place::nodesOfRanks(cluster, ranks)) {
    ++count[static_cast<size_t>(node)];
  }
  std::string text;
  for (size_t n = 0; n < count.size();) {
    size_t end = n;
    while (end < count.size() && count[end] == count[n]) {
      ++end;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(end - n) +
            (end - n == 1 ? " node with " : " nodes with ") + std::to_string(count[n]) +
            (count[n] == 1 ? " rank" : " ranks") + (end - n == 1 ? "" : " each");
    n = end;
  }
  return "Cluster\n  " + text + "\n";
}

/// What the estimate takes for something else.
std::string calledInline(const Manifest& manifest, const place::Placement& placement) {
  std::vector<std::string> called;
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    if (placement.boundaries[static_cast<size_t>(boundary.id)].mode == place::Mode::inline_call) {
      called.push_back(boundary.name);
    }
  }
  if (called.empty()) {
    return "";
  }
  return "  The estimate takes " + listNames(called) + " as drained, which " +
         (called.size() == 1 ? "is" : "are") +
         " inline: it gives the time of the block to the\n  consumer instead of the senders' threads, "
         "and knows no thread that waits for another inside it.\n";
}

}  // namespace

std::string dryRun(const Options& options, const Manifest& manifest, const place::Policy& policy,
                   const place::Cluster& here) {
  const bool is_described = !options.cluster.empty();
  const place::Cluster cluster = is_described ? describedCluster(options) : here;
  const place::Placement placement = place::place(manifest, policy, cluster).orThrow();
  std::string text = place::explainPlacement(manifest, policy, placement, cluster,
                                             {.force_mpi = options.force_mpi});
  if (!is_described) {
    return text;
  }
  if (placement.ranks > cluster.ranks()) {
    throw UserError("policy " + options.policy + " wants " + std::to_string(placement.ranks) +
                    " ranks, and the cluster of " + options.cluster + " has room for " +
                    std::to_string(cluster.ranks()) + "; use -n or --replicas");
  }
  text += "\n" + ranksPerNode(cluster, placement.ranks) + "\n";
  if (options.timings.empty()) {
    return text +
           "No estimate without timings: fdg-run --timings t.json PLAN writes them, --dry-run "
           "--cluster … --timings t.json reads them.\n";
  }
  const auto result =
      forecast::forecast(manifest, placement, cluster, measuredTimings(options, manifest));
  if (!result) {
    throw UserError(options.timings.front() + ": " + result.error());
  }
  return text + forecast::explainForecast(manifest, result.value()) +
         calledInline(manifest, placement);
}

}  // namespace fdg
