// Type → the message that says why it cannot cross between fragments; nothing for a value.
//
// Pure functions; cost: a walk over the type's fields and template arguments.
#pragma once

#include <optional>
#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "compiler/read/Diagnostics.h"

namespace fdg::compiler {

struct CannotCross {
  Message message = Message::cross_not_plain;
  std::string
      where;  ///< The way to the part that cannot: "its field `a`: "; empty: the type itself.
  std::string what;  ///< That part's type.
};

std::optional<CannotCross> whyCannotCross(clang::QualType type);
/// A binding by its own rules.
std::optional<CannotCross> whyCannotCross(const clang::ValueDecl* value);
/// The reason as a clause: "its field `a`: a function cannot be sent".
std::string clauseOf(const CannotCross& why);

/// A type as a message shows it: as it was written, without `enum` and `struct`.
std::string shownType(clang::QualType type);

}  // namespace fdg::compiler
