#include "compiler/graph/ChangedGlobals.h"

#include <map>

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/FindEntry.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;

/// The global that an expression lies in: `g`, `g.field`, `g[i]` of an array.
const Expr* innermost(const Expr* e) {
  for (;;) {
    e = e->IgnoreParens();
    if (const auto* member = dyn_cast<clang::MemberExpr>(e);
        member != nullptr && !member->isArrow() &&
        llvm::isa<clang::FieldDecl>(member->getMemberDecl())) {
      e = member->getBase();
    } else if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e)) {
      e = element->getBase()->IgnoreImpCasts();
    } else {
      return e;
    }
  }
}

const clang::VarDecl* globalOf(const Expr* e) {
  const clang::ValueDecl* named = nullptr;
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) {
    named = reference->getDecl();
  } else if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    named = member->getMemberDecl();
  }
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named);
  return variable != nullptr && variable->hasGlobalStorage() ? variable->getCanonicalDecl()
                                                             : nullptr;
}

/// It begins with the same value in every process, and only what names it can change it.
bool isPlain(const clang::VarDecl& variable, const clang::SourceManager& sources) {
  const clang::VarDecl* definition = variable.getDefinition();
  const clang::QualType type = variable.getASTContext().getBaseElementType(variable.getType());
  const auto* record = type->getAsCXXRecordDecl();
  return definition != nullptr && isOfUser(*definition, sources) && isValue(kindOf(type)) &&
         !sharesState(type) && (record == nullptr || !record->hasMutableFields()) &&
         (!definition->isStaticLocal() || definition->hasConstantInitialization());
}

class Uses final : public clang::RecursiveASTVisitor<Uses> {
 public:
  explicit Uses(const clang::SourceManager& sources) : sources_(sources) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseDecl(clang::Decl* decl) {
    return decl == nullptr || !isOfUser(*decl, sources_) || RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    const bool loads = cast->getCastKind() == clang::CK_LValueToRValue;
    const bool constant = cast->isLValue() && cast->getType().isConstQualified();
    if (loads || constant) {
      const Expr* place = innermost(cast->getSubExpr());
      const clang::VarDecl* variable = globalOf(place);
      if (variable != nullptr && isPlain(*variable, sources_)) {
        only_read_.insert(place);
      }
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) { return use(e); }
  bool VisitMemberExpr(clang::MemberExpr* e) { return use(e); }

  std::set<const clang::VarDecl*> changed() const {
    std::set<const clang::VarDecl*> all;
    for (const auto& [e, variable] : uses_) {
      if (only_read_.count(e) == 0) {
        all.insert(variable);
      }
    }
    return all;
  }

 private:
  bool use(const Expr* e) {
    if (const clang::VarDecl* variable = globalOf(e)) {
      uses_[e] = variable;
    }
    return true;
  }

  const clang::SourceManager& sources_;
  std::map<const Expr*, const clang::VarDecl*> uses_;
  std::set<const Expr*> only_read_;
};

}  // namespace

std::set<const clang::VarDecl*> changedGlobals(const Program& program) {
  Uses uses(program.sources());
  forEachUserDecl(*program.context, [&](clang::Decl* decl) { uses.TraverseDecl(decl); });
  return uses.changed();
}

}  // namespace fdg::compiler
