// --checkpoint and --resume: the call that a checkpoint belongs to, and whether a run may go on
// from it.
//
// A resumed run keeps plan, policy, placement, seed and config; what the call does not name is
// taken from the checkpoint. Throws UserError naming what differs and both values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/Manifest.h"
#include "runtime/Options.h"
#include "runtime/checkpoint/Folder.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg {

using ConfigValues = std::vector<std::pair<std::string, std::string>>;

/// The options of the resumed run: those of the checkpoint, and what else the call says.
Options resumedOptions(Options options, const checkpoint::Found& found);
/// Its config, each field as for --set; the call's own comes after it and must say the same.
std::vector<std::string> keptConfig(const checkpoint::Found& found);
/// Throw UserError unless the run is the one that the checkpoint was made by.
void checkSamePlan(const checkpoint::Found& found, const Options& options,
                   const Manifest& manifest);
void checkSameRun(const checkpoint::Found& found, const place::Placement& placement,
                  const ConfigValues& config);
/// For a placement that is not the checkpoint's, or none at all.
[[noreturn]] void refuseOtherPlacement(const checkpoint::Found& found, const std::string& how);
/// Throws UserError with the reason where a loop of the plan cannot be kept.
void checkKeepable(const Manifest& manifest);

uint64_t hashOf(const Manifest& manifest);
checkpoint::RunDescription describeRun(const Options& options, const place::Policy& policy,
                                       const place::Placement& placement, const std::string& folder,
                                       ConfigValues config);

}  // namespace fdg
