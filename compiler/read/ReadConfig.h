// Config struct → its fields, with the dotted names of nested structs, defaults and `///` texts.
//
// What can be set from outside: numbers, bools, strings, enums, optionals of those, vectors of
// int64_t or double, and the public fields of nested structs and public bases. Of each other field
// a remark says why it cannot. A configuration that cannot be made without arguments is refused.
// Defaults are source text; a nested struct's defaults are those of its own definition.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Sema.h"
#include "compiler/read/Diagnostics.h"

namespace fdg::compiler {

struct SettableField {
  ConfigField info;
  bool is_optional = false;
  std::vector<std::string> choices;  ///< Of an enum: the values' names.
  std::string scope;                 ///< Of an enum: what stands before a value's name.
};

std::vector<SettableField> readConfig(const clang::CXXRecordDecl& config, clang::Sema& sema,
                                      Diagnostics& diagnostics);

}  // namespace fdg::compiler
