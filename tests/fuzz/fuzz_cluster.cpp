// Any bytes as a cluster: it is refused with a place, or it can be placed on.
#include <cstdlib>
#include <string>

#include "runtime/place/ClusterFile.h"
#include "runtime/place/Explain.h"
#include "runtime/place/Placement.h"
#include "tests/unit/place/Plans.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fdg::place;
  static const fdg::Manifest kPlan = ppoPlan();
  static const Policy kPolicy =
      readPolicy("groups: {w: {fragments: [environment, actor]}, l: {fragments: rest}}", "p.yaml")
          .orThrow();
  const auto cluster =
      readCluster(std::string(reinterpret_cast<const char*>(data), size), "c.yaml");
  if (!cluster) {
    if (cluster.error().find("c.yaml") == std::string::npos) {
      std::abort();
    }
    return 0;
  }
  const Wire& between = cluster.value().between;
  const bool has_wires = cluster.value().within.bandwidth > 0 &&
                         cluster.value().within.latency >= 0 &&
                         (cluster.value().nodes.size() == 1 || between.bandwidth > 0);
  const auto placement = place(kPlan, kPolicy, cluster.value());
  if (cluster.value().nodes.empty() || !has_wires || !placement) {
    std::abort();
  }
  explainPlacement(kPlan, kPolicy, placement.value(), cluster.value(), {});
  return 0;
}
