// Refuses what cannot be split, before anything clever (language.md, "Accepted subset, refused
// rest").
//
// Labels and goto, inline assembly, coroutines, try around a boundary, jumps out of a try,
// boundaries inside macros of several statements or reached by fall-through, components that are
// copied or reassigned. True if nothing was refused. Cost: one walk.
#pragma once

#include "compiler/read/ReadAnnotations.h"

namespace fdg::compiler {

bool checkSubset(const Program& program, Diagnostics& diagnostics);

}  // namespace fdg::compiler
