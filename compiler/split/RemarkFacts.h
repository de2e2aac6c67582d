// Split → remarks: what was inferred, with its reasons (-Rfdg).
//
// Who has copies of a statement, how a boundary's value is laid out, what a policy may do with it
// and with each fragment. Says nothing new: all of it is in the split, and in the plan. One thread.
#pragma once

#include "compiler/split/Layouts.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

void remarkFacts(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                 const Split& split, Diagnostics& diagnostics);

}  // namespace fdg::compiler
