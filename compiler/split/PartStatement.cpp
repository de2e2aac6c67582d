#include "compiler/split/PartStatement.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/read/CannotCross.h"
#include "compiler/read/Types.h"
#include "compiler/split/ComponentCalls.h"
#include "compiler/split/HeaderParts.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;
using Object = ComponentGroups::Object;

class Uses final : public clang::RecursiveASTVisitor<Uses> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    found.insert(e->getDecl());
    return true;
  }
  std::set<const clang::ValueDecl*> found;
};

bool isAssignment(const clang::Stmt* e) {
  const auto* binary = dyn_cast<clang::BinaryOperator>(e);
  const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(e);
  return (binary != nullptr && binary->isAssignmentOp()) ||
         (call != nullptr && call->isAssignmentOp());
}

/// Writes a variable or orders what stands beside it.
bool hasSideEffect(const clang::Stmt* e) {
  const auto* unary = dyn_cast<clang::UnaryOperator>(e);
  const auto* binary = dyn_cast<clang::BinaryOperator>(e);
  const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(e);
  const bool steps = call != nullptr && (call->getOperator() == clang::OO_PlusPlus ||
                                         call->getOperator() == clang::OO_MinusMinus ||
                                         call->getOperator() == clang::OO_Comma);
  return isAssignment(e) || steps || (unary != nullptr && unary->isIncrementDecrementOp()) ||
         (binary != nullptr && binary->isCommaOp());
}

class Parter {
 public:
  Parter(const Graph& graph, const ComponentGroups& groups, int node, FreeNames& names)
      : graph_(graph),
        groups_(groups),
        node_(node),
        stmt_(graph.nodes[node].stmt),
        source_(*graph.program.context),
        names_(names) {}

  Parting part(bool all) {
    const clang::Stmt* root = rootOf();
    if (stmt_->getBeginLoc().isMacroID() || stmt_->getEndLoc().isMacroID()) {
      refuse("it comes from a macro");
    } else if (result_.why_not.empty()) {
      Level level;
      if (walk(root, all ? nullptr : host(root), false, level)) {
        checkOrder();
        checkSeen();
      }
      result_.changes = std::move(level.changes);
    }
    if (!result_.why_not.empty()) {
      result_.values.clear();
      result_.changes.clear();
    }
    return std::move(result_);
  }

 private:
  /// The text of an expression and what replaces its parts.
  struct Level {
    std::vector<Parting::Change> changes;
    TextEdits edits;
  };

  /// What is evaluated just before or as the statement, once HeaderParts has taken the header
  /// apart.
  const clang::Stmt* rootOf() {
    const Node& node = graph_.nodes[node_];
    if (standsInHeader(graph_, node_)) {
      refuse(headerPart(graph_, node_).why_not);
    }
    for (int n = node_ + 1; n <= node.last && !isAskedAgain(node); ++n) {
      if (graph_.nodes[n].header == node_) {
        refuse(headerPart(graph_, n).why_not);
      }
    }
    if (node.kind == NodeKind::statement) {
      return stmt_;
    }
    const clang::VarDecl* variable = conditionVariable(stmt_);
    return variable != nullptr ? variable->getInit() : conditionOf(stmt_);
  }

  /// The group that keeps the statement.
  Object host(const clang::Stmt* root) const {
    for (const Touch& touch : graph_.at(node_).touches) {
      if (touch.declares) {
        return groups_.find(touch.object);
      }
    }
    if (const Expr* sole = soleCall(graph_, groups_, node_)) {
      return groups_.find(calledOn(graph_, groups_, sole));
    }
    Object first = firstCall(root);
    return first != nullptr ? groups_.find(first) : nullptr;
  }

  Object firstCall(const clang::Stmt* e) const {
    if (e == nullptr || llvm::isa<clang::LambdaExpr>(e)) {
      return nullptr;
    }
    if (Object object = calledOn(graph_, groups_, e)) {
      return object;
    }
    for (const clang::Stmt* child : e->children()) {
      if (Object object = firstCall(child)) {
        return object;
      }
    }
    return nullptr;
  }

  bool refuse(const std::string& why) {
    result_.why_not = result_.why_not.empty() ? why : result_.why_not;
    return false;
  }
  std::string quote(const clang::Stmt* e) const { return "`" + graph_.program.text(e) + "`"; }

  bool walk(const clang::Stmt* e, Object host, bool conditional, Level& level) {
    if (e == nullptr ||
        llvm::isa<clang::LambdaExpr, clang::CXXDefaultArgExpr, clang::CXXDefaultInitExpr,
                  clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::CXXTypeidExpr>(
            e)) {
      return true;
    }
    if (hasSideEffect(e) && !isTopAssignment(e)) {
      return refuse(quote(e) + " has a side effect inside it");
    }
    if (Object object = calledOn(graph_, groups_, e)) {
      return call(llvm::cast<Expr>(e), object, host, conditional, level);
    }
    if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) {
      Object object = componentOf(graph_, groups_, reference);
      seen_.insert(object);
      return object == nullptr || groups_.find(object) == host ||
             refuse("it hands over the component `" + object->getNameAsString() + "` itself");
    }
    if (!takesValues(e, host)) {
      return refuse(quote(e) + " takes what it gets by rvalue reference");
    }
    return walkChildren(e, host, conditional, level);
  }

  bool walkChildren(const clang::Stmt* e, Object host, bool conditional, Level& level) {
    const auto* binary = dyn_cast<clang::BinaryOperator>(e);
    const bool shortcut = (binary != nullptr && binary->isLogicalOp()) ||
                          llvm::isa<clang::AbstractConditionalOperator>(e);
    bool first = true;
    for (const clang::Stmt* child : e->children()) {
      if (!walk(child, host, conditional || (shortcut && !first), level)) {
        return false;
      }
      first = false;
    }
    return true;
  }

  bool call(const Expr* e, Object object, Object host, bool conditional, Level& level) {
    seen_.insert(object);
    Object group = groups_.find(object);
    if (group == host) {
      return takesValues(e, host) ? walkChildren(e, host, conditional, level)
                                  : refuse(quote(e) + " takes what it gets by rvalue reference");
    }
    Level inner;
    if (!walkChildren(e, group, conditional, inner)) {
      return false;
    }
    const clang::QualType type = e->getType().getNonReferenceType().getUnqualifiedType();
    const auto why = whyCannotCross(type);
    const TextRange range = source_.range(e->getSourceRange());
    const std::string text = inner.edits.apply(source_.file(), range);
    if (conditional) {
      return refuse(quote(e) + " does not run every time");
    }
    if (type->isVoidType() || why) {
      return refuse("what " + quote(e) +
                    " returns cannot cross: " + (why ? clauseOf(*why) : "it is nothing"));
    }
    if (e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID()) {
      return refuse(quote(e) + " comes from a macro");
    }
    if (!canMove(text)) {
      return refuse(quote(e) + " has comments, strings or directives on several lines");
    }
    const std::string name = names_.take(nameFor(e));
    result_.values.push_back({name, text, e, object});
    level.changes.push_back({range, name});
    level.edits.replace(range, name);
    return true;
  }

  static std::string nameFor(const Expr* e) {
    const auto* call = dyn_cast<clang::CXXMemberCallExpr>(e);
    const auto* method = call != nullptr ? call->getMethodDecl() : nullptr;
    return method != nullptr && method->getIdentifier() != nullptr ? method->getNameAsString()
                                                                   : "value";
  }

  /// A name in the place of a result fits every parameter but `T&&`, where no other overload is.
  bool takesValues(const clang::Stmt* e, Object host) const {
    const auto* call = dyn_cast<clang::CallExpr>(e);
    const auto* construct = dyn_cast<clang::CXXConstructExpr>(e);
    const clang::FunctionDecl* callee = call != nullptr        ? call->getDirectCallee()
                                        : construct != nullptr ? construct->getConstructor()
                                                               : nullptr;
    if (callee == nullptr || callee->getPrimaryTemplate() != nullptr || movesInto(callee)) {
      return true;
    }
    // The object of a member operator is its first argument.
    const unsigned skipped =
        llvm::isa<clang::CXXOperatorCallExpr>(e) && llvm::isa<clang::CXXMethodDecl>(callee);
    for (unsigned i = 0; i < callee->getNumParams(); ++i) {
      const bool temporary = callee->getParamDecl(i)->getType()->isRValueReferenceType();
      const unsigned argument = i + skipped;
      const Expr* given = call != nullptr && argument < call->getNumArgs() ? call->getArg(argument)
                          : construct != nullptr && i < construct->getNumArgs()
                              ? construct->getArg(i)
                              : nullptr;
      if (temporary && given != nullptr && isTakenOut(given, host) && !takesCopies(callee, i)) {
        return false;
      }
    }
    return true;
  }

  /// An overload takes the same by const reference or by value: push_back.
  static bool takesCopies(const clang::FunctionDecl* callee, unsigned parameter) {
    return llvm::any_of(
        callee->getDeclContext()->lookup(callee->getDeclName()), [&](const clang::NamedDecl* decl) {
          const auto* other = dyn_cast<clang::FunctionDecl>(decl);
          return other != nullptr && other->getNumParams() == callee->getNumParams() &&
                 !other->getParamDecl(parameter)->getType()->isRValueReferenceType() &&
                 !givesWriteAccess(other->getParamDecl(parameter)->getType());
        });
  }

  /// What may be moved into place may be copied as well: what crosses is a value.
  static bool movesInto(const clang::FunctionDecl* callee) {
    const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(callee);
    const auto* method = dyn_cast<clang::CXXMethodDecl>(callee);
    return (constructor != nullptr && constructor->isMoveConstructor()) ||
           (method != nullptr && method->isMoveAssignmentOperator());
  }

  bool isTakenOut(const Expr* e, Object host) const {
    Object object = calledOn(graph_, groups_, e->IgnoreUnlessSpelledInSource());
    return object != nullptr && groups_.find(object) != host;
  }

  bool isTopAssignment(const clang::Stmt* e) const {
    const auto* expression = dyn_cast<Expr>(stmt_);
    return expression != nullptr && isAssignment(e) &&
           expression->IgnoreUnlessSpelledInSource() == e;
  }

  /// What is taken out runs before the rest of the statement: it must not read what that writes.
  void checkOrder() {
    Uses read;
    for (const TakenOut& value : result_.values) {
      read.TraverseStmt(const_cast<Expr*>(value.expression));
    }
    const bool declares = llvm::isa<clang::DeclStmt>(stmt_);
    for (const Access& access : graph_.at(node_).accesses) {
      const bool writes =
          access.how == Access::How::assign ? declares : access.how != Access::How::read;
      if (writes && read.found.count(access.variable) > 0) {
        refuse("it changes `" + access.variable->getNameAsString() + "` besides");
      }
    }
  }

  void checkSeen() {
    for (const Touch& touch : graph_.at(node_).touches) {
      if (!touch.declares && seen_.count(touch.object) == 0) {
        refuse("it reaches the component `" + touch.object->getNameAsString() +
               "` through a function or a reference");
      }
    }
  }

  const Graph& graph_;
  const ComponentGroups& groups_;
  int node_;
  const clang::Stmt* stmt_;
  SourceText source_;
  FreeNames& names_;
  std::set<Object> seen_;
  Parting result_;
};

}  // namespace

Parting partStatement(const Graph& graph, const ComponentGroups& groups, int node, bool all,
                      FreeNames& names) {
  return Parter(graph, groups, node, names).part(all);
}

void applyParting(const Graph& graph, int node, const Parting& parting,
                  const std::function<std::vector<std::string>(const TakenOut&)>& behind,
                  CutEdits& edits) {
  const SourceText source(*graph.program.context);
  const Node& at = graph.nodes[node];
  const TextRange whole = source.wholeStatement(at.stmt);
  const std::string indent = source.indentOf(whole.begin);
  // A body without braces, or a case: later cases must not jump over the new variables.
  const auto* choice =
      at.parent < 0 ? nullptr : dyn_cast<clang::SwitchStmt>(graph.nodes[at.parent].stmt);
  const bool alone = !llvm::isa_and_nonnull<clang::CompoundStmt>(at.block) ||
                     (choice != nullptr && choice->getBody() == at.block);
  if (alone) {
    edits.lead(whole.begin, indent, {"{"});
  }
  for (const TakenOut& value : parting.values) {
    std::vector<std::string> lines = {"auto " + value.name + " = " + value.call + ";"};
    const auto more = behind(value);
    lines.insert(lines.end(), more.begin(), more.end());
    edits.lead(whole.begin, indent, lines);
  }
  for (const Parting::Change& change : parting.changes) {
    edits.replace(change.range, change.name,
                  source.file().slice(change.range.begin, change.range.end).count('\n'));
  }
  if (alone) {
    edits.follow(whole.end, whole.end, indent, {"}"});
  }
}

}  // namespace fdg::compiler
