#include "compiler/graph/FindRandom.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/Conduct.h"
#include "compiler/read/Entities.h"
#include "compiler/read/FindEntry.h"

namespace fdg::compiler {
namespace {

class Draws final : public clang::RecursiveASTVisitor<Draws> {
 public:
  explicit Draws(const Program& program)
      : program_(program),
        // Without the precompiled header FDG's own headers are parsed like the user's.
        only_main_file_(program.context->getExternalSource() == nullptr) {}

  bool TraverseDecl(clang::Decl* decl) {
    return decl == nullptr || decl == program_.entry || !isLookedAt(*decl) ||
           RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const bool of_engine =
        method != nullptr && isRandomEngine(program_.context->getTypeDeclType(method->getParent()));
    if (callee != nullptr && !of_engine && conductOf(callee) == Conduct::random) {
      found.push_back(call->getBeginLoc());
    }
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) {
    if (drawsWeights(e->getConstructor())) {
      found.push_back(e->getBeginLoc());
    }
    return true;
  }
  bool VisitDeclaratorDecl(clang::DeclaratorDecl* decl) {
    const bool holds =
        llvm::isa<clang::VarDecl, clang::FieldDecl>(decl) && !llvm::isa<clang::ParmVarDecl>(decl);
    if (holds && !decl->getType()->isReferenceType() && isRandomEngine(decl->getType())) {
      found.push_back(decl->getLocation());
    }
    return true;
  }
  std::vector<clang::SourceLocation> found;

 private:
  bool isLookedAt(const clang::Decl& decl) const {
    const clang::SourceManager& sources = program_.sources();
    return isOfUser(decl, sources) &&
           (!only_main_file_ || sources.isInMainFile(sources.getExpansionLoc(decl.getLocation())));
  }

  const Program& program_;
  bool only_main_file_;
};

}  // namespace

std::vector<clang::SourceLocation> findRandom(const Program& program) {
  Draws draws(program);
  forEachUserDecl(*program.context, [&](clang::Decl* decl) { draws.TraverseDecl(decl); });
  return draws.found;
}

}  // namespace fdg::compiler
