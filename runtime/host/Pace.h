// Whose rate a fragment follows in a placement: pure functions of manifest, placement and topology.
#pragma once

#include "base/Manifest.h"
#include "runtime/host/Topology.h"

namespace fdg::host {

struct Pace {
  /// It runs at its own rate beside the group whose end is the run's end, and goes on until then.
  bool beside_stop_group = false;
  /// Its rate class gets nothing but newest values and gives nothing: it runs once per unseen one.
  bool only_follows = false;
};

/// Whether every value is taken in its turn, so that the result does not depend on timing.
bool isOrdered(const place::Placement& placement);
/// Whether all fragments go through the same iterations, so that every n-th is the same for all.
bool inStep(const Manifest& manifest, const place::Placement& placement, const Topology& topology);

Pace paceOf(const Manifest& manifest, const place::Placement& placement, const Topology& topology,
            int fragment);

}  // namespace fdg::host
