// Assignment → Split: what each fragment keeps, which boundaries there are, who must be told an
// outcome (language.md, "How the function is split", rules 7 to 10).
//
// One fixpoint over statements, conditions, jumps and declarations. Refuses an annotation that
// separates nothing or whose result nobody uses.
#pragma once

#include <optional>

#include "compiler/read/Diagnostics.h"
#include "compiler/split/Assignment.h"
#include "compiler/split/Needs.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

/// nullopt if something was refused; it has been shown.
std::optional<Split> spreadChoices(const Graph& graph, const Assignment& assignment,
                                   const Needs& needs, Diagnostics& diagnostics);

/// Reductions and all_gather also synchronise the replicas of one fragment.
bool isExchange(OperationKind operation);

}  // namespace fdg::compiler
