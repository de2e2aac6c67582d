// A call of one of torch's activations and the like → whether its options ask it to write its
// input.
//
// `F::relu(x, F::ReLUFuncOptions().inplace(true))`, and a module made with such options. Options in
// a variable are looked up where the variable is made, and in what its function calls on it; those
// of a field in all constructors of its class. Cost: a walk over these.
#pragma once

#include <vector>

#include "clang/AST/Expr.h"

namespace fdg::compiler {

/// `object`: of a method, else null. The input is the first argument.
bool worksInPlace(const clang::FunctionDecl* callee, const clang::Expr* object,
                  llvm::ArrayRef<const clang::Expr*> arguments);

/// Which arguments a function of torch writes though its name does not say so: running statistics,
/// embeddings that are asked to stay short.
std::vector<unsigned> writtenBesides(const clang::FunctionDecl* callee,
                                     llvm::ArrayRef<const clang::Expr*> arguments);

}  // namespace fdg::compiler
