// Split → what each fragment carries from one iteration of an outermost loop to the next: what a
// checkpoint keeps at the loop's head.
//
// That is every variable from outside the loop's body that the fragment uses in the loop, unless it
// is a constant or a view of others that are kept. Fills FragmentPart::carries, LoopInfo::fragments
// and LoopInfo::resumable: no, where something that changes cannot be saved.
#pragma once

#include "compiler/graph/Graph.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

void findCarried(const Graph& graph, Split& split);

}  // namespace fdg::compiler
