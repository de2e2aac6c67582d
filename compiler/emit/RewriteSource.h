// Writes a program's text back into its file, for --fix.
//
// A link stays a link, permissions and the kind of line ends stay as they are. Throws UserError for a file that is read-only
// or cannot be written.
#pragma once

#include <string>

namespace fdg::compiler {

void rewriteSource(const std::string& file, const std::string& text);

}  // namespace fdg::compiler
