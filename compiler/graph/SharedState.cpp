#include "compiler/graph/SharedState.h"

#include <set>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/FindEntry.h"

namespace fdg::compiler {
namespace {

/// Walks a body and those of what it calls.
class Uses final : public clang::RecursiveASTVisitor<Uses> {
 public:
  explicit Uses(const clang::SourceManager& sources) : sources_(sources) {}

  bool shouldVisitImplicitCode() const { return true; }

  void enter(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = nullptr;
    if (function == nullptr || !function->hasBody(definition) || !isOfUser(*definition, sources_) ||
        !entered_.insert(definition).second) {
      return;
    }
    TraverseDecl(const_cast<clang::FunctionDecl*>(definition));
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* e) { return add(e->getDecl(), e->getBeginLoc()); }
  bool VisitMemberExpr(clang::MemberExpr* e) { return add(e->getMemberDecl(), e->getBeginLoc()); }
  bool VisitCallExpr(clang::CallExpr* e) {
    enter(e->getDirectCallee());
    return true;
  }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr* e) { return TraverseStmt(e->getExpr()); }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr* e) { return TraverseStmt(e->getExpr()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) {
    enter(e->getConstructor());
    return true;
  }

  std::vector<SharedState::Use> found;

 private:
  bool add(const clang::ValueDecl* decl, clang::SourceLocation place) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (variable != nullptr && variable->hasGlobalStorage() && !variable->isConstexpr() &&
        !variable->getType().isConstQualified() && isOfUser(*variable, sources_)) {
      found.push_back({variable, place});
    }
    return true;
  }

  const clang::SourceManager& sources_;
  std::set<const clang::FunctionDecl*> entered_;
};

}  // namespace

const std::vector<SharedState::Use>& SharedState::of(const clang::FunctionDecl* function) {
  const auto [entry, added] = known_.emplace(function, std::vector<Use>());
  if (added) {
    Uses uses(context_.getSourceManager());
    uses.enter(function);
    entry->second = std::move(uses.found);
  }
  return entry->second;
}

}  // namespace fdg::compiler
