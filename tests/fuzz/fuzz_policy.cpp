// Any bytes as a policy: it is refused with a place, or it can be placed and explained.
#include <cstdlib>
#include <string>

#include "runtime/place/Explain.h"
#include "runtime/place/Placement.h"
#include "tests/unit/place/Plans.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fdg::place;
  static const fdg::Manifest kPlan = apexPlan();
  const auto policy = readPolicy(std::string(reinterpret_cast<const char*>(data), size), "p.yaml");
  if (!policy) {
    if (policy.error().find("p.yaml") == std::string::npos) {
      std::abort();
    }
    return 0;
  }
  for (const int ranks : {0, 1, 5}) {
    Cluster cluster;
    cluster.nodes = {Node{std::max(1, ranks), 4, 0}};
    cluster.ranks_are_fixed = ranks > 0;
    const auto placement = place(kPlan, policy.value(), cluster);
    if (!placement && placement.error().empty()) {
      std::abort();
    }
    if (placement) {
      explainPlacement(kPlan, policy.value(), placement.value(), cluster, {});
    }
  }
  return 0;
}
