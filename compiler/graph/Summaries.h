// Function of the main file → what a call of it does to its arguments and its object.
//
// Its body is walked as if its parameters were variables; within it aliases are followed without
// regard to order. Cost: one walk per function, on demand.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "compiler/graph/Effects.h"
#include "compiler/graph/SharedState.h"

namespace fdg::compiler {

/// What a call of a function of the main file does to its arguments.
struct Summary {
  std::set<unsigned> updates, in_place, returns;              ///< Parameters.
  bool updates_object = false, writes_behind_object = false;  ///< Of a method.
  Effects effects;  ///< Impurities, globals, streams, randomness.
};

/// Summaries of functions of the main file, made on demand; recursion counts as unknown.
class Summaries {
 public:
  explicit Summaries(const clang::ASTContext& context) : context_(context) {}
  /// Null if the function has no body in the main file or calls itself.
  const Summary* of(const clang::FunctionDecl* function);
  /// What a component's method shares with others.
  const std::vector<SharedState::Use>& sharedBy(const clang::CXXMethodDecl* method) {
    return shared_.of(method);
  }

 private:
  Summary summarise(const clang::FunctionDecl* function);

  const clang::ASTContext& context_;
  SharedState shared_{context_};
  std::map<const clang::FunctionDecl*, std::unique_ptr<Summary>> known_;
};

}  // namespace fdg::compiler
