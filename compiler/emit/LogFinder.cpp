#include "compiler/emit/LogFinder.h"

#include <set>

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using KeepsRun = std::map<const clang::Type*, bool>;

bool keepsRun(clang::QualType type, int depth) {
  type = type.getNonReferenceType();
  type = type->isPointerType() ? type->getPointeeType() : type;
  const auto* record = type->getAsCXXRecordDecl();
  if (isRun(type) || record == nullptr || !record->hasDefinition() || depth > 4) {
    return isRun(type);
  }
  const auto keeps = [depth](clang::QualType inner) { return keepsRun(inner, depth + 1); };
  if (inNamespace(record, "std")) {
    return isNamed(record, "std::function") ||
           !allArguments(record, [&](clang::QualType inner) { return !keeps(inner); });
  }
  record = record->getDefinition();
  return llvm::any_of(record->fields(), [&](auto* field) { return keeps(field->getType()); }) ||
         llvm::any_of(record->bases(), [&](const auto& base) { return keeps(base.getType()); });
}

class RunUses final : public clang::RecursiveASTVisitor<RunUses> {
 public:
  RunUses(const clang::ParmVarDecl* run, KeepsRun& known) : run_(run), known_(known) {}

  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const auto* object = llvm::dyn_cast<clang::DeclRefExpr>(
        call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (object != nullptr && method != nullptr && method->getIdentifier() != nullptr) {
      const llvm::StringRef name = method->getName();
      if (name == "rows" || name == "stream" || name == "device" || name == "seed") {
        harmless_.insert(object);
      }
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    found |= reference->getDecl() == run_
                 ? !harmless_.contains(reference)
                 : llvm::isa<clang::VarDecl>(reference->getDecl()) && keeps(reference->getType());
    return !found;
  }
  bool found = false;

 private:
  bool keeps(clang::QualType type) {
    const auto [entry, added] = known_.emplace(type.getCanonicalType().getTypePtr(), false);
    if (added) {
      entry->second = keepsRun(type, 0);
    }
    return entry->second;
  }

  const clang::ParmVarDecl* run_;
  KeepsRun& known_;
  std::set<const clang::DeclRefExpr*> harmless_;
};

}  // namespace

bool LogFinder::mayLog(const clang::Stmt* stmt) const {
  if (stmt == nullptr || run_ == nullptr) {
    return false;
  }
  RunUses uses(run_, keeps_run_);
  uses.TraverseStmt(const_cast<clang::Stmt*>(stmt));
  return uses.found;
}

}  // namespace fdg::compiler
