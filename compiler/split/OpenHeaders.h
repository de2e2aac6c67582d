// A program without annotations → edits that take out of its headers what crosses from component to
// component, and where components meet (language.md, rule 12): behind what a header makes no
// annotation can stand.
//
// How, and what cannot be taken out, HeaderParts knows. A header is left alone if its value could
// not cross in another place either. What is taken out is said as a remark. The next step expects
// the program parsed again.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/split/ComponentGroups.h"
#include "compiler/split/CutEdits.h"

namespace fdg::compiler {

CutEdits openHeaders(const Graph& graph, Diagnostics& diagnostics);

}  // namespace fdg::compiler
