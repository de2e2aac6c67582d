// The graph and its fragments → what fragments would tell each other past their boundaries.
//
// Fragments may be different processes, on different machines: globals of the program, its files
// and environment variables do not pass values between them. Refuses those that one fragment
// changes and another one uses, and calls that end the process. Cost: one walk over the program's
// code and its nodes.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/split/Assignment.h"

namespace fdg::compiler {

/// False if something was refused; it has been said.
bool checkOutside(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics);

}  // namespace fdg::compiler
