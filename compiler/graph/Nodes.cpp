#include "compiler/graph/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/read/Entities.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Stmt;

class NodeBuilder {
 public:
  explicit NodeBuilder(const Program& program) : program_(program) {}

  Nodes build() {
    block(program_.entry->getBody());
    return std::move(nodes_);
  }

 private:
  struct Scope {
    int parent = -1;
    int loop = -1;
    int branch = 0;
    const Stmt* block = nullptr;
  };

  int add(const Stmt* stmt, NodeKind kind) {
    Node node;
    node.kind = kind;
    node.stmt = stmt;
    node.parent = scope_.parent;
    node.loop = scope_.loop;
    node.branch = scope_.branch;
    node.block = scope_.block;
    const int number = nodes_.size();
    nodes_.list.push_back(node);
    nodes_.number.emplace(stmt, number);
    return number;
  }

  void addHeader(const Stmt* stmt, int condition, bool increment) {
    if (stmt == nullptr || llvm::isa<clang::NullStmt>(stmt)) {
      return;
    }
    const int number = add(stmt, NodeKind::statement);
    nodes_.list[number].header = condition;
    nodes_.list[number].increment = increment;
  }

  /// The body or a branch of a control statement.
  void inside(int condition, const Stmt* body, int branch, bool loop) {
    if (body == nullptr) {
      return;
    }
    const Scope outer = scope_;
    scope_.parent = condition;
    scope_.branch = branch;
    scope_.loop = loop ? condition : outer.loop;
    block(body);
    scope_ = outer;
  }

  void block(const Stmt* body) {
    const Stmt* outer = scope_.block;
    scope_.block = body;
    if (const auto* compound = dyn_cast<clang::CompoundStmt>(body)) {
      for (const Stmt* stmt : compound->body()) {
        statement(stmt);
      }
    } else {
      statement(body);
    }
    scope_.block = outer;
  }

  void statement(const Stmt* stmt) {
    if (const auto* attributed = dyn_cast<clang::AttributedStmt>(stmt)) {
      return statement(attributed->getSubStmt());
    }
    if (const auto* label = dyn_cast<clang::SwitchCase>(stmt)) {
      return statement(label->getSubStmt());
    }
    if (llvm::isa<clang::NullStmt>(stmt)) {
      return;
    }
    if (llvm::isa<clang::CompoundStmt>(stmt)) {
      return block(stmt);
    }
    if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(stmt)) {
      add(stmt, NodeKind::jump);
      return;
    }
    if (program_.annotations.count(stmt) > 0) {
      add(stmt, NodeKind::annotation);
      return;
    }
    if (!control(stmt)) {
      add(stmt, NodeKind::statement);
    }
  }

  bool control(const Stmt* stmt) {
    const bool loop =
        llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt);
    if (!loop && !llvm::isa<clang::IfStmt, clang::SwitchStmt>(stmt)) {
      return false;
    }
    if (program_.isOneMacro(stmt)) {
      return false;  // it has no text of its own inside
    }
    const int condition = add(stmt, NodeKind::condition);
    nodes_.list[condition].is_loop = loop;
    if (const auto* branch = dyn_cast<clang::IfStmt>(stmt)) {
      addHeader(branch->getInit(), condition, false);
      inside(condition, branch->getThen(), 0, false);
      inside(condition, branch->getElse(), 1, false);
    } else if (const auto* choice = dyn_cast<clang::SwitchStmt>(stmt)) {
      addHeader(choice->getInit(), condition, false);
      inside(condition, choice->getBody(), 0, false);
    } else if (const auto* counted = dyn_cast<clang::ForStmt>(stmt)) {
      addHeader(counted->getInit(), condition, false);
      increment(counted->getInc(), condition);
      inside(condition, counted->getBody(), 0, true);
    } else if (const auto* range = dyn_cast<clang::CXXForRangeStmt>(stmt)) {
      addHeader(range->getInit(), condition, false);
      inside(condition, range->getBody(), 0, true);
    } else if (const auto* loop_while = dyn_cast<clang::WhileStmt>(stmt)) {
      inside(condition, loop_while->getBody(), 0, true);
    } else if (const auto* loop_do = dyn_cast<clang::DoStmt>(stmt)) {
      inside(condition, loop_do->getBody(), 0, true);
    }
    nodes_.list[condition].last = nodes_.size() - 1;
    return true;
  }

  void increment(const Stmt* stmt, int condition) {
    const Scope outer = scope_;
    scope_.parent = condition;
    scope_.loop = condition;
    scope_.branch = 0;
    addHeader(stmt, condition, true);
    scope_ = outer;
  }

  const Program& program_;
  Nodes nodes_;
  Scope scope_;
};

class Named final : public clang::RecursiveASTVisitor<Named> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(e->getDecl())) {
      found.insert(e->getDecl());
    }
    return true;
  }
  std::set<const clang::ValueDecl*> found;
};

}  // namespace

clang::SourceLocation Nodes::place(int n) const {
  return list[static_cast<size_t>(n)].stmt->getBeginLoc();
}

const clang::Expr* conditionOf(const Stmt* control) {
  if (const auto* branch = dyn_cast<clang::IfStmt>(control)) {
    return branch->getCond();
  }
  if (const auto* choice = dyn_cast<clang::SwitchStmt>(control)) {
    return choice->getCond();
  }
  if (const auto* loop = dyn_cast<clang::ForStmt>(control)) {
    return loop->getCond();
  }
  if (const auto* loop = dyn_cast<clang::WhileStmt>(control)) {
    return loop->getCond();
  }
  if (const auto* loop = dyn_cast<clang::DoStmt>(control)) {
    return loop->getCond();
  }
  if (const auto* range = dyn_cast<clang::CXXForRangeStmt>(control)) {
    return range->getRangeInit();
  }
  return nullptr;
}

const Stmt* bodyOf(const Stmt* stmt) {
  if (const auto* branch = dyn_cast<clang::IfStmt>(stmt)) {
    return branch->getThen();
  }
  if (const auto* choice = dyn_cast<clang::SwitchStmt>(stmt)) {
    return choice->getBody();
  }
  if (const auto* loop = dyn_cast<clang::ForStmt>(stmt)) {
    return loop->getBody();
  }
  if (const auto* loop = dyn_cast<clang::WhileStmt>(stmt)) {
    return loop->getBody();
  }
  if (const auto* loop = dyn_cast<clang::CXXForRangeStmt>(stmt)) {
    return loop->getBody();
  }
  const auto* loop = dyn_cast<clang::DoStmt>(stmt);
  return loop == nullptr ? nullptr : loop->getBody();
}

const clang::VarDecl* conditionVariable(const Stmt* control) {
  if (const auto* branch = dyn_cast<clang::IfStmt>(control)) {
    return branch->getConditionVariable();
  }
  if (const auto* choice = dyn_cast<clang::SwitchStmt>(control)) {
    return choice->getConditionVariable();
  }
  if (const auto* loop = dyn_cast<clang::WhileStmt>(control)) {
    return loop->getConditionVariable();
  }
  const auto* counted = dyn_cast<clang::ForStmt>(control);
  return counted != nullptr ? counted->getConditionVariable() : nullptr;
}

std::set<const clang::ValueDecl*> namedIn(const Node& node) {
  Named named;
  auto* stmt = const_cast<Stmt*>(node.stmt);
  if (node.kind != NodeKind::condition) {
    named.TraverseStmt(stmt);
    return named.found;
  }
  named.TraverseStmt(const_cast<clang::Expr*>(conditionOf(stmt)));
  if (const clang::VarDecl* variable = conditionVariable(stmt)) {
    named.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
  }
  return named.found;
}

bool hasFixedLength(const clang::CXXForRangeStmt* loop) {
  static const llvm::StringSet<> fixed = {"vector",       "array",       "span",
                                          "basic_string", "basic_string_view",
                                          "initializer_list"};
  const clang::QualType type = loop->getRangeInit()->getType().getNonReferenceType();
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr) {
    return type->isArrayType();
  }
  return (inNamespace(record, "std") && fixed.contains(record->getName())) ||
         (inNamespace(record, "c10") && record->getName() == "ArrayRef");
}

std::optional<bool> constantCondition(const Stmt* control, const clang::ASTContext& context) {
  if (llvm::isa<clang::CXXForRangeStmt, clang::SwitchStmt>(control)) {
    return std::nullopt;
  }
  const clang::Expr* condition = conditionOf(control);
  if (condition == nullptr) {
    return true;
  }
  bool value = false;
  if (!condition->isValueDependent() && condition->EvaluateAsBooleanCondition(value, context) &&
      !condition->HasSideEffects(context)) {
    return value;
  }
  return std::nullopt;
}

std::map<const Stmt*, int> jumpTargets(const Nodes& nodes) {
  std::map<const Stmt*, int> targets;
  for (int n = 0; n < nodes.size(); ++n) {
    if (!llvm::isa<clang::BreakStmt, clang::ContinueStmt>(nodes[n].stmt)) {
      continue;
    }
    int around = nodes[n].parent;
    const bool leaves_switch = llvm::isa<clang::BreakStmt>(nodes[n].stmt);
    while (around >= 0 && !nodes[around].is_loop &&
           !(leaves_switch && llvm::isa<clang::SwitchStmt>(nodes[around].stmt))) {
      around = nodes[around].parent;
    }
    targets[nodes[n].stmt] = around;
  }
  return targets;
}

Nodes buildNodes(const Program& program) { return NodeBuilder(program).build(); }

}  // namespace fdg::compiler
