// Type → why a checkpoint cannot keep an object of it; nothing where it can (fdg/archive.h).
//
// Values, classes with an `archive` of their own or a base's if they add no fields, torch modules and
// optimizers, and what the standard's vectors, deques, arrays, optionals, pairs, tuples and
// unique_ptrs, or plain structs, hold of those. A pure function; cost: a walk over the type's fields
// and template arguments.
#pragma once

#include <optional>
#include <string>

#include "clang/AST/Type.h"

namespace fdg::compiler {

/// A clause: "its class `Maze` has no `archive`".
std::optional<std::string> whyNotSavable(clang::QualType type);
/// A clause: why an empty unique_ptr or optional cannot be filled again by a checkpoint; nothing
/// for other types.
std::optional<std::string> whyNotMade(clang::QualType type);

}  // namespace fdg::compiler
