// Any bytes as a manifest: it is refused, or it can be written, read again as the same, explained and placed.
#include <cstdlib>
#include <string>

#include "base/Manifest.h"
#include "runtime/place/Explain.h"
#include "runtime/place/Placement.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fdg::place;
  const auto plan = fdg::readManifest(std::string(reinterpret_cast<const char*>(data), size));
  if (!plan) {
    if (plan.error().empty()) {
      std::abort();
    }
    return 0;
  }
  const std::string text = fdg::writeManifest(plan.value());
  const auto again = fdg::readManifest(text);
  if (!again || fdg::writeManifest(again.value()) != text) {
    std::abort();
  }
  explainPlan(plan.value());
  static const Policy kSingle =
      readPolicy("groups: {all: {fragments: rest, replicas: 2}}\napproximate: true\n", "p.yaml").value();
  const Cluster cluster;
  if (const auto placement = place(plan.value(), kSingle, cluster)) {
    explainPlacement(plan.value(), kSingle, placement.value(), cluster, {});
  }
  return 0;
}
