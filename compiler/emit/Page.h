// Split program → one HTML file that explains it: the source with each line in its fragment's
// colour, what crosses at the line where it crosses, every fact with its reason.
//
// Needs no network and no script to be read; follows the reader's light or dark theme. What shows
// on hovering also shows on keyboard focus and stands in a table below the source. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/Manifest.h"
#include "compiler/emit/StatementList.h"

namespace fdg::compiler {

/// `source` is the text of the program's file.
std::string pageHtml(const Manifest& manifest, const std::vector<ListedStatement>& statements,
                     std::string_view source);

}  // namespace fdg::compiler
