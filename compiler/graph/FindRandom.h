// The user's functions, methods and classes → where they draw from hidden random state.
//
// The training function itself is left to Effects, which also knows what it calls; here are the
// methods of the user's components and what nothing calls yet. Cost: one walk over the user's code.
#pragma once

#include <vector>

#include "compiler/read/ReadAnnotations.h"

namespace fdg::compiler {

/// Places of calls, and of the variables and fields that are engines. Calls on an engine are left
/// out: its declaration is there.
std::vector<clang::SourceLocation> findRandom(const Program& program);

}  // namespace fdg::compiler
