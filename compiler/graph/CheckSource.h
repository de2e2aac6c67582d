// Nodes → can each be copied as it stands in the file? Refuses what macros and #include tear apart.
//
// A node is copied by its text. Two nodes from one use of a macro would each copy the whole macro;
// a control statement whose head a macro makes has no text of its own; a statement from another
// file has none here. A control statement that is wholly one macro (TORCH_CHECK, assert) is one
// node and fine, as long as no jump leaves it. One thread; cost: a lookup per node.
#pragma once

#include "compiler/graph/Nodes.h"
#include "compiler/read/Diagnostics.h"

namespace fdg::compiler {

bool checkSource(const Program& program, const Nodes& nodes, Diagnostics& diagnostics);

}  // namespace fdg::compiler
