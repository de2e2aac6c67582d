// Manifest and statements → SVG: a column for each fragment with its statements, downwards in the
// program's order; each boundary an arrow from column to column at the place where it crosses, with
// value, type, operation and facts.
//
// All fragments see their boundaries in one common order, so the arrows never go back up. Long
// texts are shortened; the whole of them shows on hovering. Needs nothing but a browser. Pure; any
// thread.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "compiler/emit/StatementList.h"

namespace fdg::compiler {

std::string pictureSvg(const Manifest& manifest, const std::vector<ListedStatement>& statements);

}  // namespace fdg::compiler
