// What an expression of the walk behind collectEffects gives: the variables whose state its value
// may share, or, of an lvalue, where it lies.
#pragma once

#include <vector>

#include "clang/AST/Decl.h"

namespace fdg::compiler {

using Sources = std::vector<const clang::ValueDecl*>;

inline void append(Sources& to, const Sources& from) { to.insert(to.end(), from.begin(), from.end()); }

/// Which variable an lvalue lies in, and how.
struct Place {
  const clang::ValueDecl* variable = nullptr;
  const clang::FieldDecl* field = nullptr;
  bool exact = false;     ///< All of the variable or field.
  bool indirect = false;  ///< Behind a pointer or in a tensor's storage.
};

}  // namespace fdg::compiler
