#include "compiler/split/RowCounts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;

/// The first list of values written in an expression.
const clang::InitListExpr* listIn(const clang::Stmt* e) {
  if (e == nullptr || llvm::isa<clang::InitListExpr>(e)) {
    return llvm::cast_or_null<clang::InitListExpr>(e);
  }
  for (const clang::Stmt* child : e->children()) {
    if (const auto* list = listIn(child)) {
      return list;
    }
  }
  return nullptr;
}

/// `torch::zeros({3, 2})` has three rows.
std::optional<int64_t> writtenRows(const Expr* e, const clang::ASTContext& context) {
  static const llvm::StringSet<> makers = {"zeros", "ones", "empty", "full", "rand", "randn"};
  const auto* call = dyn_cast<clang::CallExpr>(e->IgnoreUnlessSpelledInSource());
  const clang::FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
  if (callee == nullptr || callee->getIdentifier() == nullptr ||
      !makers.contains(callee->getName()) ||
      !(inNamespace(callee, "torch") || inNamespace(callee, "at"))) {
    return std::nullopt;
  }
  const clang::InitListExpr* shape = call->getNumArgs() > 0 ? listIn(call->getArg(0)) : nullptr;
  clang::Expr::EvalResult size;
  const bool known = shape != nullptr && shape->getNumInits() > 0 &&
                     shape->getInit(0)->EvaluateAsInt(size, context);
  return known ? std::optional(size.Val.getInt().getExtValue()) : std::nullopt;
}

/// The expressions that a body gives the tensors of what it returns.
class Returned final : public clang::RecursiveASTVisitor<Returned> {
 public:
  bool TraverseLambdaExpr(clang::LambdaExpr* /*lambda*/) { return true; }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->hasInit()) {
      made_[variable] = variable->getInit();
    }
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* stmt) {
    if (const Expr* value = stmt->getRetValue()) {
      take(value);
    }
    return true;
  }
  std::vector<std::pair<const clang::FieldDecl*, const Expr*>> found;

 private:
  const Expr* origin(const Expr* e) const {
    const auto* name = dyn_cast<clang::DeclRefExpr>(e->IgnoreUnlessSpelledInSource());
    const auto known = name != nullptr ? made_.find(name->getDecl()) : made_.end();
    return known != made_.end() ? known->second : e;
  }
  /// `return {a, b};`, or a variable that was made so.
  void take(const Expr* value) {
    const Expr* e = origin(value)->IgnoreImplicit();
    const auto* list = dyn_cast<clang::InitListExpr>(e);
    const auto* record = e->getType()->getAsCXXRecordDecl();
    if (list == nullptr || record == nullptr) {
      return;
    }
    unsigned i = 0;
    for (const clang::FieldDecl* field : record->fields()) {
      if (i < list->getNumInits() && isTensor(field->getType())) {
        found.emplace_back(field, origin(list->getInit(i)));
      }
      ++i;
    }
  }

  std::map<const clang::ValueDecl*, const Expr*> made_;
};

}  // namespace

std::string whyNotRows(const clang::CXXMethodDecl* method) {
  const clang::FunctionDecl* body = nullptr;
  if (method == nullptr || !method->hasBody(body)) {
    return "";
  }
  Returned returned;
  returned.TraverseStmt(body->getBody());
  for (const auto& [fixed, made] : returned.found) {
    const std::optional<int64_t> rows = writtenRows(made, body->getASTContext());
    const bool differs = std::ranges::any_of(returned.found, [&](const auto& other) {
      return other.first != fixed && writtenRows(other.second, body->getASTContext()) != rows;
    });
    if (rows && differs) {
      return "its field `" + fixed->getNameAsString() + "` has " + std::to_string(*rows) +
             (*rows == 1 ? " row" : " rows") + ", whatever the others have";
    }
  }
  return "";
}

}  // namespace fdg::compiler
