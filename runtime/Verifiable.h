// --verify compares with the sequential run; where the policy gives that up there is nothing to compare.
#pragma once

#include "base/Manifest.h"
#include "runtime/Options.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg {

/// Throws UserError with the reason where a call with --verify cannot be kept to it.
void checkVerifiable(const Options& options, const place::Policy& policy, const Manifest& manifest,
                     const place::Placement& placement);

}  // namespace fdg
