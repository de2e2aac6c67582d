// What a run was: FOLDER/run.json.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/Manifest.h"
#include "runtime/Options.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg {

/// Program, source hash, policy, ranks, seed and every config field, to repeat the run from.
void writeRunRecord(const std::string& folder, const Options& options, const Manifest& manifest,
                    const place::Policy& policy, const place::Placement& placement,
                    const std::vector<std::pair<std::string, std::string>>& config);

}  // namespace fdg
