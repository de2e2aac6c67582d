// What is done through pointers, iterators, views and references of several possible places → what
// is done to the variables behind them.
//
// Adds to the effects: who reads such a variable reads all that it may refer to, who writes through
// it may write each of them, and a component behind it is touched. What it may refer to does not
// depend on where in the program one looks, and two of them that exchange values may refer to the
// same. Cost: the shares, sorted once.
#pragma once

#include <set>

#include "compiler/graph/Effects.h"

namespace fdg::compiler {

/// `unclear`: references that are not bound to one known place.
void followReferences(llvm::MutableArrayRef<Effects> effects,
                      const std::set<const clang::ValueDecl*>& unclear);

}  // namespace fdg::compiler
