// What components keep references, pointers or handles to → where they see or make changes of it.
//
// Adds to the effects: a statement that touches a component may write what that keeps to write, and
// a statement that writes what a component keeps touches it. Where in the program a component began
// to keep it plays no part. Cost: one look at all effects.
#pragma once

#include "compiler/graph/Effects.h"

namespace fdg::compiler {

void followHolds(llvm::MutableArrayRef<Effects> effects);

}  // namespace fdg::compiler
