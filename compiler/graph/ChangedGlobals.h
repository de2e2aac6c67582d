// The program's code → variables that outlive its functions and that something in it may change.
//
// A global that is only read holds the same in every process. Cost: one walk over the user's code.
#pragma once

#include <set>

#include "compiler/read/ReadAnnotations.h"

namespace fdg::compiler {

/// Canonical declarations. A value that begins the same in every process, and that is only read, or
/// only used as something constant, does not count as changed; anything else does.
std::set<const clang::VarDecl*> changedGlobals(const Program& program);

}  // namespace fdg::compiler
