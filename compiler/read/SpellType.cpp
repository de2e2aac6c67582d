#include "compiler/read/SpellType.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/PrettyPrinter.h"

namespace fdg::compiler {
namespace {

/// Prints types for the inside of one function, whose own types need no qualification there.
class InsideFunction final : public clang::PrintingCallbacks {
 public:
  explicit InsideFunction(const clang::FunctionDecl* function) : function_(function) {}
  bool isScopeVisible(const clang::DeclContext* context) const override {
    return context->Equals(function_) || context->isFunctionOrMethod();
  }

 private:
  const clang::FunctionDecl* function_;
};

clang::PrintingPolicy policyFor(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.FullyQualifiedName = true;
  policy.PrintCanonicalTypes = true;
  policy.SuppressUnwrittenScope = true;
  policy.SuppressTagKeyword = true;
  policy.UsePreferredNames = false;
  policy.Bool = true;
  return policy;
}

}  // namespace

std::string spellType(clang::QualType type, const clang::FunctionDecl* function) {
  const InsideFunction inside(function);
  clang::PrintingPolicy policy = policyFor(function->getASTContext());
  policy.Callbacks = &inside;
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType().getAsString(policy);
}

std::string canonicalType(clang::QualType type, const clang::ASTContext& context) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType().getAsString(
      policyFor(context));
}

}  // namespace fdg::compiler
