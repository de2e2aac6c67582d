// The user's declarations → do their marks (FDG_PURE, FDG_FRESH, FDG_LATEST, FDG_ROLE) hold?
//
// fdgc believes a mark and looks no further, so a wrong one would split a program wrongly. Refuses
// FDG_PURE on a function of the main file that returns nothing or whose body surely has an effect,
// roles that no policy could name, and marks that stand where they mark nothing; warns of marks that
// do nothing. Cost: the bodies of marked functions.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/read/ParseProgram.h"
#include "compiler/read/ReadAnnotations.h"

namespace fdg::compiler {

bool checkMarks(const ParsedProgram& parsed, const Program& program, Diagnostics& diagnostics);

}  // namespace fdg::compiler
