// What --dry-run prints: the placement here, or on a cluster that --cluster describes, and with
// --timings how long an iteration would take there. Starts nothing; throws UserError.
#pragma once

#include <string>

#include "base/Manifest.h"
#include "runtime/Options.h"
#include "runtime/place/Cluster.h"
#include "runtime/place/Policy.h"

namespace fdg {

/// `here`: the machine, where no cluster is described.
std::string dryRun(const Options& options, const Manifest& manifest, const place::Policy& policy,
                   const place::Cluster& here);

}  // namespace fdg
