// Policy's boundary rules and the plan's facts → what every boundary does. Third step of place().
//
// A rule is found by `default`, then by operation, then by the boundary's name; for each key the
// last that says something wins. Choices (outcomes of conditions) are always ordered and take the
// default window only. Refuses a selector the plan does not know and a mode that the facts forbid,
// with their reason.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "base/Result.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Policy.h"

namespace fdg::place {

/// Per boundary of the plan. `replicas` are per group, `group_of` per fragment.
Result<std::vector<BoundaryRule>> applyRules(const Manifest& plan, const Policy& policy,
                                             const std::vector<int>& group_of,
                                             const std::vector<int64_t>& replicas);

/// A choice that only leads to a boundary that is drained: never sent.
bool isUnused(const std::vector<BoundaryRule>& rules, const BoundaryInfo& boundary);

/// Fragments that run at one rate because ordered boundaries or choices join them, in order of
/// first member.
std::vector<std::vector<int>> rateClasses(const Manifest& plan,
                                          const std::vector<BoundaryRule>& rules);

const char* modeName(Mode mode);
/// "boundary weights (broadcast at ppo.cpp:42)", for messages.
std::string described(const Manifest& plan, const BoundaryInfo& boundary);

}  // namespace fdg::place
