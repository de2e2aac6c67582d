// Proves the split: whatever a fragment evaluates is made in it, copied into it, or received by it,
// and every component has one owner. What fails here is a defect of fdgc, never of the program:
// FDG_CHECK.
#pragma once

#include "compiler/split/Assignment.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

void checkSplit(const Graph& graph, const Assignment& assignment, const Split& split);

}  // namespace fdg::compiler
