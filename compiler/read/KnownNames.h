// Names of functions of LibTorch and the standard library, sorted by what they do: the lists behind
// Conduct. A name that is on no list is judged by its declaration.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace fdg::compiler::known {

/// A tensor function whose result may share storage with an argument (LibTorch 2.x).
bool makesView(llvm::StringRef name);
/// A tensor function that draws from hidden state.
bool drawsWeights(llvm::StringRef module);
bool drawsTensor(llvm::StringRef name);
/// A standard function that returns a place inside its object or first argument.
bool givesPlace(llvm::StringRef name);
/// A standard algorithm that only reads through the iterators it gets.
bool onlyReads(llvm::StringRef name);
/// A standard function with an effect beyond its arguments.
bool isImpure(llvm::StringRef name);
/// A C function that depends on its arguments alone.
bool isMath(llvm::StringRef name);

}  // namespace fdg::compiler::known
