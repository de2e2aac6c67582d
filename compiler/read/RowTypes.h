// Type → what are the rows of such a value (language.md, "Operations").
//
// A tensor leads with rows, each element of a vector is one, an optional has those of what it holds,
// a struct, pair, tuple or array those of its fields. Pure functions; cost: a walk over the type.
#pragma once

#include <optional>
#include <string>

#include "base/Manifest.h"
#include "clang/AST/Type.h"

namespace fdg::compiler {

/// A value of that type can have a leading dimension: replicas give their rows of it, not equals.
bool holdsRows(clang::QualType type);

/// The operation joins or cuts rows, so that one of the values that cross must have some. Not a
/// loose append: it may be drained, and each message is used by itself.
bool needsRows(OperationKind operation, bool loose);

struct ListOfTensors {
  std::string where;  ///< The way to it: "its field `a`: "; empty: the value itself.
  std::string what;   ///< Its type.
};

/// A vector of tensors in a value, the elements of which are its rows, and not those of the tensors.
std::optional<ListOfTensors> listOfTensorsIn(clang::QualType type);

}  // namespace fdg::compiler
