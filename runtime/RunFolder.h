// Where a run keeps its log and weights, and what it was: FOLDER/run.json.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/Manifest.h"
#include "runtime/Options.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg {

/// Makes `wanted` (it may exist), or if empty the first of runs/PROGRAM-001, -002, … that does not
/// exist. Throws UserError with the cause if it cannot.
std::string makeRunFolder(const std::string& wanted, const std::string& program);

/// Throws UserError if the folder has the log of a run already: nothing is ever overwritten. What
/// failed before it logged anything is nothing.
void refuseUsedFolder(const std::string& folder);

/// Program, source hash, policy, ranks, seed and every config field, to repeat the run from.
void writeRunRecord(const std::string& folder, const Options& options, const Manifest& manifest,
                    const place::Policy& policy, const place::Placement& placement,
                    const std::vector<std::pair<std::string, std::string>>& config);

}  // namespace fdg
