// Training function → nodes: its statements, conditions, jumps and annotations in source order.
//
// A node's number is its index and counts in pre-order, conditions at their control statement.
// Expects a function that CheckSubset let through. Cost: one walk.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "clang/AST/Stmt.h"
#include "compiler/read/ReadAnnotations.h"

namespace fdg::compiler {

enum class NodeKind { statement, condition, jump, annotation };

struct Node {
  NodeKind kind = NodeKind::statement;
  /// Its key everywhere: the whole statement; for a condition the if, loop or switch it belongs to.
  const clang::Stmt* stmt = nullptr;
  int parent = -1;  ///< Condition node of the control statement around it, -1: none.
  int loop = -1;  ///< Condition node of the innermost loop around it. A loop is not around itself.
  /// Of an init statement or an increment: the condition node whose header it stands in.
  int header = -1;
  bool increment = false;
  /// Which part of its parent: 0 then or body, 1 else.
  int branch = 0;
  bool is_loop = false;  ///< A condition that can be asked again.
  int last = -1;         ///< Of a condition: the last node inside its control statement.
  const clang::Stmt* block = nullptr;  ///< The compound statement or body it stands in directly.
};

struct Nodes {
  std::vector<Node> list;
  std::map<const clang::Stmt*, int> number;

  const Node& operator[](int n) const { return list[static_cast<size_t>(n)]; }
  int size() const { return static_cast<int>(list.size()); }
  int of(const clang::Stmt* stmt) const {
    const auto found = number.find(stmt);
    return found == number.end() ? -1 : found->second;
  }
  /// `inner` stands somewhere inside the control statement of condition `outer`.
  bool isInside(int inner, int outer) const {
    return inner > outer && inner <= list[static_cast<size_t>(outer)].last;
  }
  clang::SourceLocation place(int n) const;
};

/// The expression of a condition; null for `for (;;)`.
const clang::Expr* conditionOf(const clang::Stmt* control);
/// What a control statement decides about: the then branch or the body; null for anything else.
const clang::Stmt* bodyOf(const clang::Stmt* stmt);
/// The variable that the condition declares: `while (auto x = next())`; null: none.
const clang::VarDecl* conditionVariable(const clang::Stmt* control);
/// A condition whose value the compiler knows: while (true), if constexpr.
std::optional<bool> constantCondition(const clang::Stmt* control, const clang::ASTContext& context);
/// The range has one length, which is known when the loop begins: an array, a vector, a string.
bool hasFixedLength(const clang::CXXForRangeStmt* loop);
/// Every local variable that a statement, or the header of a control statement, names.
std::set<const clang::ValueDecl*> namedIn(const Node& node);
/// The loop or switch that a break or continue leaves.
std::map<const clang::Stmt*, int> jumpTargets(const Nodes& nodes);

Nodes buildNodes(const Program& program);

}  // namespace fdg::compiler
