// Config struct → its fields, with the dotted names of nested structs, defaults and `///` texts.
//
// Fields of other types than numbers, bools, strings and vectors of numbers cannot be set from
// outside and are left out. Defaults are source text; a nested struct's defaults are those of its
// own definition.
#pragma once

#include <vector>

#include "base/Manifest.h"
#include "clang/AST/DeclCXX.h"

namespace fdg::compiler {

std::vector<ConfigField> readConfig(const clang::CXXRecordDecl& config);

}  // namespace fdg::compiler
