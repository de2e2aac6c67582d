#include "compiler/split/ComponentCalls.h"

#include "clang/AST/ExprCXX.h"

namespace fdg::compiler {

using clang::dyn_cast;
using clang::Expr;
using Object = ComponentGroups::Object;

Object componentOf(const Graph& graph, const ComponentGroups& groups, const Expr* e) {
  e = e->IgnoreUnlessSpelledInSource()->IgnoreParenImpCasts();
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) {
    const auto bound = graph.effects.references.find(reference->getDecl());
    Object object = bound != graph.effects.references.end() ? bound->second : reference->getDecl();
    return groups.isObject(object) ? object : nullptr;
  }
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    return componentOf(graph, groups, member->getBase());
  }
  if (const auto* call = dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const bool inside = call->isLValue() || call->getType()->isPointerType();
    return inside ? componentOf(graph, groups, call->getImplicitObjectArgument()) : nullptr;
  }
  if (const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    const bool inside = call->isLValue() || call->getType()->isPointerType();
    return inside ? componentOf(graph, groups, call->getArg(0)) : nullptr;
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) {
    return componentOf(graph, groups, unary->getSubExpr());
  }
  if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e)) {
    return componentOf(graph, groups, element->getBase());
  }
  return nullptr;
}

Object calledOn(const Graph& graph, const ComponentGroups& groups, const clang::Stmt* e) {
  if (const auto* call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(e)) {
    return componentOf(graph, groups, call->getImplicitObjectArgument());
  }
  const auto* call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(e);
  return call != nullptr && call->getOperator() == clang::OO_Call
             ? componentOf(graph, groups, call->getArg(0))
             : nullptr;
}

const Expr* soleCall(const Graph& graph, const ComponentGroups& groups, int node) {
  const clang::Stmt* stmt = graph.nodes[node].stmt;
  const auto* expression = dyn_cast<Expr>(stmt);
  if (const auto* declaration = dyn_cast<clang::DeclStmt>(stmt)) {
    const auto* variable = declaration->isSingleDecl()
                               ? dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    expression = variable != nullptr ? variable->getInit() : nullptr;
  }
  if (expression == nullptr) {
    return nullptr;
  }
  expression = expression->IgnoreUnlessSpelledInSource();
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(expression);
      binary != nullptr && binary->getOpcode() == clang::BO_Assign) {
    expression = binary->getRHS();
  } else if (const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(expression);
             call != nullptr && call->getOperator() == clang::OO_Equal) {
    expression = call->getArg(1);
  }
  for (;;) {
    expression = expression->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
    const auto* member = dyn_cast<clang::MemberExpr>(expression);
    if (member == nullptr) {
      return calledOn(graph, groups, expression) != nullptr ? expression : nullptr;
    }
    expression = member->getBase();
  }
}

}  // namespace fdg::compiler
