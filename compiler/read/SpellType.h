// The names of types in generated code. Pure functions.
#pragma once

#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"

namespace fdg::compiler {

/// Valid inside `function`: fully qualified, its own types by their name alone. Empty if the type
/// has no name. References are looked through.
std::string spellType(clang::QualType type, const clang::FunctionDecl* function);
/// The same name wherever a type is met: two types with one name are one type.
std::string canonicalType(clang::QualType type, const clang::ASTContext& context);

}  // namespace fdg::compiler
