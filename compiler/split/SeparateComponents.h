// A program whose statements touch several components → edits after which each touches one
// (language.md, "How the function is split", rule 12): the second step of cutting without
// annotations.
//
// Statements are taken apart as PartStatement does. So are those that compute something of what a
// component gave before it crosses: rows are to cross as the component gave them. Components of a
// statement that cannot be taken apart stay together. Everything is said as a remark. Expects a
// function that CheckSubset let through.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "compiler/read/Diagnostics.h"
#include "compiler/split/ComponentGroups.h"
#include "compiler/split/CutEdits.h"

namespace fdg::compiler {

/// No edits where there is nothing to take apart.
CutEdits separateComponents(const Graph& graph, Diagnostics& diagnostics);

/// Joins the components of statements that cannot be taken apart; `say` hears the node, the groups
/// and the reason of each.
void joinInseparable(const Graph& graph, ComponentGroups& groups,
                     const std::function<void(int, const std::set<ComponentGroups::Object>&,
                                              const std::string&)>& say);

}  // namespace fdg::compiler
