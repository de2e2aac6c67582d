#include "compiler/read/Modules.h"

#include "clang/AST/DeclTemplate.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

/// What a `ModuleHolder<NetImpl>` holds; null for other classes.
const clang::CXXRecordDecl* heldBy(const clang::CXXRecordDecl* holder) {
  const auto* list = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(holder);
  const bool holds = list != nullptr && list->getName() == "ModuleHolder" &&
                     list->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type;
  return holds ? list->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl() : nullptr;
}

}  // namespace

bool isNetwork(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) {
    return false;
  }
  if (inNamespace(record, "std")) {
    return !allArguments(record, [](clang::QualType inner) { return !isNetwork(inner); });
  }
  return inNamespace(record, "torch") ||
         llvm::any_of(record->getDefinition()->bases(),
                      [](const auto& base) { return isNetwork(base.getType()); });
}

bool isOptimizer(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record != nullptr && inNamespace(record, "std")) {
    return !allArguments(record, [](clang::QualType inner) { return !isOptimizer(inner); });
  }
  return record != nullptr && qualifiedName(record).starts_with("torch::optim::");
}

bool callsModule(const clang::CXXMethodDecl* method) {
  const std::string name = method->getNameAsString();
  return inNamespace(method, "torch") && (name == "operator()" || name == "forward");
}

const clang::CXXRecordDecl* moduleOf(const clang::CXXRecordDecl* record) {
  const clang::CXXRecordDecl* held = heldBy(record);
  if (held == nullptr && record->hasDefinition() && record->getNumBases() > 0) {
    held = heldBy(record->bases_begin()->getType()->getAsCXXRecordDecl());
  }
  return (held == nullptr ? record : held)->getCanonicalDecl();
}

bool holdsAnyModule(const clang::CXXRecordDecl* module) {
  const llvm::StringRef name = module->getIdentifier() != nullptr ? module->getName() : "";
  return name.starts_with("Sequential") || name.starts_with("AnyModule");
}

}  // namespace fdg::compiler
