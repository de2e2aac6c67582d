// The fields of --config FILE.yaml and of --set → the plan's config struct.
//
// A file names fields dotted ("dqn.lr: 1e-4") or nested ("dqn: {lr: 1e-4}"); lists become values
// with commas. Throws UserError with file:line:column (or the --set) for a field that does not
// exist, with the nearest name, and for a value its type does not take.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "core/Config.h"

namespace fdg {

/// Sets the fields of the file (if one is named), then those of `sets`, in order.
void applyConfig(const VisitConfig& visit, const Manifest& manifest, const std::string& file,
                 const std::vector<std::string>& sets);

}  // namespace fdg
