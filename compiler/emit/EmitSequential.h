// The training function as the user wrote it, with calls of a tape woven in: the oracle of
// --verify.
//
// The user's text stays where it is, line by line; only insertions are made, so that this copy
// cannot drop or reorder anything that the fragments would drop too. What is told: each
// annotation's values, outcomes of conditions that another fragment asks for, loops, and the place
// of each statement that logs.
#pragma once

#include "compiler/read/SourceText.h"
#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

/// The function's body, braces included, with `fdg_tape` in use.
Piece emitSequentialBody(const Program& program, const Split& split);

}  // namespace fdg::compiler
