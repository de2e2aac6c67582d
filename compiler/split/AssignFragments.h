// Graph → fragments: cuts, connected parts, free and derived statements, leftovers, names
// (language.md, "How the function is split", rules 3 to 7).
//
// Refuses a call of unknown purity that two fragments need, and says which leftovers went where.
#pragma once

#include <optional>

#include "compiler/read/Diagnostics.h"
#include "compiler/split/Assignment.h"

namespace fdg::compiler {

/// nullopt if something was refused; it has been shown.
std::optional<Assignment> assignFragments(const Graph& graph, Diagnostics& diagnostics);

}  // namespace fdg::compiler
