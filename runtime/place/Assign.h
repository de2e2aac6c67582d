// Policy's names → which fragments each group owns. First step of place().
//
// A name stands for every fragment of that role, of that name, or with a component of that name.
// Refuses a name the plan lacks (unless the group is optional), a fragment with two owners or none,
// an empty group.
#pragma once

#include <vector>

#include "base/Manifest.h"
#include "base/Result.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

/// Fragment ids per group of the policy, ascending. An optional group may have none.
Result<std::vector<std::vector<int>>> assignFragments(const Manifest& plan, const Policy& policy);

}  // namespace fdg::place
