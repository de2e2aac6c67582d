// The program after splitting: what EmitFragments projects and the manifest describes.
//
// Filled by the steps of split/ in their order. Pointers are into the AST, which outlives it.
//
// What counts as a statement: each DeclStmt and expression statement of a block; the init statement
// of a for, if or switch, a for's increment (an Expr) and each DeclStmt of a range-for's header
// never appear under the control statement's own key: init and increment are statements of their
// own in `number`, `owner` and `keeps`; the variable of a condition (`if (auto x = …)`) and of a
// range-for belong to the condition, keyed by the control statement. A fragment that keeps a
// control statement without keeping its init or increment leaves that part of the header empty.
// Null statements and labels of cases have no number: labels of a kept switch are always kept. A
// fragment that is neither owner of a condition nor has it in `free_or_derived` asks for its
// outcome.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/Manifest.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"

namespace fdg::compiler {

/// One annotation as seen from one producing fragment, or the outcome of a condition (implicit).
struct Boundary {
  /// Of the choice of a range-for: its length is told, once; else whether there is another step.
  bool tellsLength() const { return spelled_types.front() == "int64_t"; }

  BoundaryInfo info;  ///< What goes into the manifest.
  /// The statement `fdg::partition(…)`, or for a choice the if, loop or switch whose condition it
  /// is.
  const clang::Stmt* place = nullptr;
  std::vector<const clang::ValueDecl*> values;  ///< VarDecl or BindingDecl; empty for a choice.
  std::vector<std::string> spelled_types;  ///< C++ spelling of each value's type, for declarations.
  /// For a drainable boundary: the statements of each consumer that run once per message, in order;
  /// they are neighbours behind `place` among the consumer's statements.
  std::map<int, std::vector<const clang::Stmt*>> drain_block;
};

/// What one fragment keeps of the training function.
struct FragmentPart {
  FragmentInfo info;
  /// Whole statements (declarations and expression statements), control statements, jumps and
  /// annotations that this fragment has: as owner, or copied because free, derived or needed around
  /// others.
  std::set<const clang::Stmt*> keeps;
  /// Variables it needs declared (default-initialised) although their initialiser belongs
  /// elsewhere. The DeclStmt may hold several variables or be a structured binding.
  std::set<const clang::ValueDecl*> declares;
  /// By outermost loop: the variables that carry something from one iteration to the next, in the
  /// order of their declarations. What a checkpoint keeps.
  std::map<const clang::Stmt*, std::vector<const clang::ValueDecl*>> carries;
};

struct Split {
  std::vector<FragmentPart> fragments;  ///< Index is the fragment's id.
  std::vector<Boundary> boundaries;     ///< Index is the boundary's id.
  std::vector<LoopInfo> loops;
  std::vector<RateClass> rate_classes;
  /// Every statement's and condition's number, in source order; loops share this numbering.
  std::map<const clang::Stmt*, int> number;
  /// Fragment that owns a statement or a condition (keyed by its if, loop or switch); absent if
  /// free or derived.
  std::map<const clang::Stmt*, int> owner;
  std::set<const clang::Stmt*> free_or_derived;

  /// Boundaries made by an annotation, or the choice of a control statement (at most one).
  std::vector<const Boundary*> boundariesAt(const clang::Stmt* place) const;
};

}  // namespace fdg::compiler
