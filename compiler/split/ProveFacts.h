// Split → the facts a policy may rely on: each yes, or no with a sentence that names the line
// (language.md, "Facts the plan records").
//
// Fills drainable, newest_able, held, only_for_drain and the drain blocks of boundaries;
// replicable, approximate and fusable of fragments; the rate classes.
#pragma once

#include "compiler/split/Assignment.h"
#include "compiler/split/Layouts.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

void proveFacts(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                Split& split);

}  // namespace fdg::compiler
