// A method that returns several tensors → why they cannot be rows of one value: one has a number of
// rows that is written out, another has not.
//
// Rule 12 guesses that what environments and actors give are rows. Its operations want equally many
// in all tensors of a value, which only the run can check in general; what a body says for certain
// is told before. A pure function of the body; cost: one walk over it.
#pragma once

#include <string>

#include "clang/AST/DeclCXX.h"

namespace fdg::compiler {

/// A clause: "`stats` has 1 row, whatever the others have"; empty: nothing speaks against rows.
std::string whyNotRows(const clang::CXXMethodDecl* method);

}  // namespace fdg::compiler
