// Statement → whether it itself may log or save: it uses run for more than rows, streams, device
// and seed, or a variable that keeps a Run (a lambda, a logger). Types are looked through once
// each.
#pragma once

#include <map>

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace fdg::compiler {

class LogFinder {
 public:
  /// `run`: the parameter of the training function; nullptr if it has no name.
  explicit LogFinder(const clang::ParmVarDecl* run) : run_(run) {}
  bool mayLog(const clang::Stmt* stmt) const;

 private:
  const clang::ParmVarDecl* run_;
  mutable std::map<const clang::Type*, bool> keeps_run_;
};

}  // namespace fdg::compiler
