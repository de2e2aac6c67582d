// Text of a program → text inside SVG and HTML: nothing a program contains is taken for markup.
#pragma once

#include <string>
#include <string_view>

#include "compiler/emit/Facts.h"

namespace fdg::compiler {

/// For HTML and XML, in text and in quoted attributes. Control characters, which XML forbids,
/// become a replacement character.
std::string escaped(std::string_view text);
/// At most `limit` characters (UTF-8), the last one an ellipsis where something is left out.
std::string shortened(std::string_view text, size_t limit);
/// "drainable: no, because …".
std::string factText(const FactLine& fact);

}  // namespace fdg::compiler
