// Function of the program's own files → what a call of it does to its arguments and its object.
//
// Its body is walked as if its parameters were variables; within it aliases are followed without
// regard to order. A recursive function is taken to do nothing first, then what its body was found
// to do, until that is all. Cost: one walk per function, on demand; per round, if it is recursive.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <set>

#include "compiler/graph/Effects.h"
#include "compiler/graph/SharedState.h"

namespace fdg::compiler {

/// What a call of such a function does to its arguments.
struct Summary {
  std::set<unsigned> updates, in_place, returns;              ///< Parameters.
  bool updates_object = false, writes_behind_object = false;  ///< Of a method.
  /// Of a method: fields of its own object whose storage it writes in place, hands out, or where it
  /// keeps a handle to that parameter.
  std::set<const clang::FieldDecl*> written_fields, returned_fields;
  std::map<unsigned, std::set<const clang::FieldDecl*>> kept_in;
  /// Fields of components that the parameter refers to afterwards.
  std::map<unsigned, std::set<const clang::FieldDecl*>> given_fields;
  /// Fields of its own object, such as arrays, whose own elements it changes.
  std::set<const clang::FieldDecl*> changed_fields;
  Effects effects;  ///< Impurities, globals, streams, randomness.
};

/// Summaries of functions of the program's own files, made on demand.
class Summaries {
 public:
  explicit Summaries(clang::ASTContext& context) : context_(context) {}
  /// Null if the function has no body there.
  const Summary* of(const clang::FunctionDecl* function);
  /// What a component's method shares with others.
  const std::vector<SharedState::Use>& sharedBy(const clang::CXXMethodDecl* method) {
    return shared_.of(method);
  }
  /// What a call of the method may run: itself and the methods that override it; for the holder of
  /// a module its forward; for what holds any module that of each.
  std::vector<const clang::CXXMethodDecl*> calledBy(const clang::CXXMethodDecl* method);
  /// Some method writes in place what is kept in that field.
  bool writes(const clang::FieldDecl* field);
  /// The same, or the elements that are in it.
  bool changes(const clang::FieldDecl* field);
  /// The same, or what a reference or pointer in it refers to.
  bool writesBehind(const clang::FieldDecl* field);

 private:
  static constexpr int kNobody = std::numeric_limits<int>::max();

  struct Known {
    Summary summary;
    bool stale = true;    ///< To be made, or made anew.
    int depth = 0;        ///< Among those being made; 0: it is none of them.
    int needs = kNobody;  ///< The depth of one that is still being made and that it goes by.
  };

  void solve(const clang::FunctionDecl* definition, Known& known);
  Summary summarise(const clang::FunctionDecl* function);
  bool isOwn(const clang::FunctionDecl* definition) const;
  const std::vector<const clang::CXXMethodDecl*>& methods();
  std::set<const clang::FieldDecl*> aliasesOf(const clang::FieldDecl* field);
  bool anyMethod(const clang::FieldDecl* field, llvm::function_ref<bool(const Summary&)> does);

  clang::ASTContext& context_;
  SharedState shared_{context_};
  std::optional<std::vector<const clang::CXXMethodDecl*>> methods_;  ///< Of the program's files.
  std::map<const clang::FunctionDecl*, Known> known_;
  int depth_ = 0;  ///< How many are being made.
  /// The outermost of those being made that was asked for, directly or not.
  int outermost_asked_ = kNobody;
  bool grown_ = false;             ///< In this round.
  std::vector<Known*> unsettled_;  ///< Those that need one that is still being made.
};

}  // namespace fdg::compiler
