// Manifest → Graphviz text → SVG: fragments as boxes, boundaries as arrows (dashed: loose; dotted:
// the outcome of a condition).
#pragma once

#include <string>

#include "base/Manifest.h"
#include "compiler/read/Toolchain.h"

namespace fdg::compiler {

std::string dotText(const Manifest& manifest);
/// Runs Graphviz. Throws UserError if it is not there.
std::string pictureSvg(const Manifest& manifest, const Toolchain& toolchain);

}  // namespace fdg::compiler
