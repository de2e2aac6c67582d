// A program without annotations → the annotations that would cut it along its components
// (language.md, "How the function is split", rule 12), each a remark with a fix-it: `fdgc -Rfdg
// --fix` writes them.
//
// One fragment per component, those joined that one statement touches; an annotation behind each
// definition that another component's statement uses. Operations follow the layouts: `gather` for
// shares, `broadcast` for the rest, `reduce_mean` for a learner's gradients. Changes nothing
// itself.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/split/Assignment.h"
#include "compiler/split/Layouts.h"

namespace fdg::compiler {

void suggestCuts(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                 Diagnostics& diagnostics);

}  // namespace fdg::compiler
