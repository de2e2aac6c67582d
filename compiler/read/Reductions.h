// Operation and type → can replicas fold terms of that type?
//
// A term is a tensor, a number, a bool, or a list, tuple or plain struct of terms (fdg::value);
// what a tensor holds is known at run time only. Strings inside a struct must be equal and pass.
// Pure.
#pragma once

#include <optional>
#include <string>

#include "base/Manifest.h"
#include "clang/AST/Type.h"
#include "compiler/read/Diagnostics.h"

namespace fdg::compiler {

struct CannotReduce {
  Message message = Message::reduces_no_number;
  std::string where;  ///< The way to the part that cannot: "its field `a`: ".
  std::string what;   ///< That part's type.
};

/// Expects a type that may cross. Nothing for operations that are no reductions.
std::optional<CannotReduce> whyCannotReduce(OperationKind operation, clang::QualType type);

}  // namespace fdg::compiler
