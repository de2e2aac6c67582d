// Refuses what the edges show to be wrong about a program's boundaries and shared state
// (language.md, "Operations" and "Accepted subset"): writes to values that crossed, references
// bound across a boundary, reductions of wholes, loops bounded by run.rows, globals of two
// fragments, streams taken twice; warns of random draws outside streams. True if nothing was
// refused.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/split/Assignment.h"
#include "compiler/split/Layouts.h"

namespace fdg::compiler {

bool checkCrossing(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                   Diagnostics& diagnostics);

}  // namespace fdg::compiler
