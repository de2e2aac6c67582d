// A function of the user's → the mutable variables that outlive it and that a call of it may use:
// globals, static members, static locals, also where it calls others of the user's functions.
//
// Components are fragments of their own because nothing but values goes between them; two whose
// methods use one such variable share more than that. Virtual calls inside bodies count as calls of
// the method that is named. Cost: a walk over each body, once.
#pragma once

#include <map>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace fdg::compiler {

class SharedState {
 public:
  struct Use {
    const clang::VarDecl* variable = nullptr;
    clang::SourceLocation place;
  };

  explicit SharedState(const clang::ASTContext& context) : context_(context) {}
  /// Empty for functions of libraries, which are taken at their word.
  const std::vector<Use>& of(const clang::FunctionDecl* function);

 private:
  const clang::ASTContext& context_;
  std::map<const clang::FunctionDecl*, std::vector<Use>> known_;
};

}  // namespace fdg::compiler
