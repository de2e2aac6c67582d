// A plan, or a placement, as text for people: what --explain and --dry-run print. Pure; any thread.
#pragma once

#include <string>

#include "base/Manifest.h"
#include "runtime/place/Cluster.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

/// Fragments, boundaries with their facts, rate classes, config fields.
std::string explainPlan(const Manifest& plan);

struct DryRunOptions {
  bool force_mpi = false;
};

/// Ranks with their instances, and what every boundary becomes.
std::string explainPlacement(const Manifest& plan, const Policy& policy, const Placement& placement,
                             const Cluster& cluster, const DryRunOptions& options);

}  // namespace fdg::place
