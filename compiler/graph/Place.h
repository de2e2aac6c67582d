// Where an lvalue lies: what EffectWalk finds for the target of a write and for what a reference is
// bound to.
#pragma once

#include "clang/AST/Decl.h"

namespace fdg::compiler {

/// Which variable an lvalue lies in, and how.
struct Place {
  const clang::ValueDecl* variable = nullptr;
  const clang::FieldDecl* field = nullptr;
  bool exact = false;     ///< All of the variable or field.
  bool indirect = false;  ///< Behind a pointer or in a tensor's storage.
};

}  // namespace fdg::compiler
