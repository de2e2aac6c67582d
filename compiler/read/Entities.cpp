#include "compiler/read/Entities.h"

#include "clang/AST/Attr.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {

using llvm::StringRef;

std::optional<std::string> mark(const clang::Decl* decl, StringRef prefix) {
  if (decl == nullptr) {
    return std::nullopt;
  }
  for (const clang::Decl* redecl : decl->redecls()) {
    for (const auto* attribute : redecl->specific_attrs<clang::AnnotateAttr>()) {
      const StringRef text = attribute->getAnnotation();
      if (text.starts_with(prefix)) {
        return text.drop_front(prefix.size()).str();
      }
    }
  }
  return std::nullopt;
}

std::string qualifiedName(const clang::NamedDecl* decl) {
  std::string name = decl->getNameAsString();
  for (const clang::DeclContext* context = decl->getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto* outer = llvm::dyn_cast<clang::NamedDecl>(context);
    if (outer == nullptr || llvm::isa<clang::FunctionDecl>(context)) {
      continue;
    }
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(outer);
    if (space == nullptr || !(space->isInline() || space->isAnonymousNamespace())) {
      name = outer->getNameAsString() + "::" + name;
    }
  }
  return name;
}

bool isNamed(const clang::NamedDecl* decl, StringRef qualified_name) {
  return decl != nullptr && qualified_name.ends_with(decl->getNameAsString()) &&
         qualifiedName(decl) == qualified_name;
}

bool inNamespace(const clang::Decl* decl, StringRef outermost) {
  for (const clang::DeclContext* context = decl->getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
    if (space != nullptr && space->getName() == outermost &&
        space->getParent()->getRedeclContext()->isTranslationUnit()) {
      return true;
    }
  }
  return false;
}

bool isTensor(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr && record->getName() == "Tensor" &&
         (isNamed(record, "at::Tensor") || isNamed(record, "torch::Tensor"));
}

bool isRun(clang::QualType type) {
  return isNamed(type.getNonReferenceType()->getAsCXXRecordDecl(), "fdg::Run");
}

bool isStream(clang::QualType type) {
  return isNamed(type.getNonReferenceType()->getAsCXXRecordDecl(), "fdg::Stream");
}

bool isThreadSafe(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) {
    return false;
  }
  const auto& context = record->getASTContext();
  for (const clang::NamedDecl* found : record->lookup(&context.Idents.get("thread_safe"))) {
    const auto* field = llvm::dyn_cast<clang::VarDecl>(found);
    const clang::VarDecl* pattern =
        field == nullptr ? nullptr : field->getInstantiatedFromStaticDataMember();
    field = pattern != nullptr ? pattern : field;  // a template's is made where it is used
    bool value = false;
    if (field != nullptr && field->isConstexpr() && field->hasInit() &&
        !field->getInit()->isValueDependent() &&
        field->getInit()->EvaluateAsBooleanCondition(value, context)) {
      return value;
    }
  }
  return false;
}

bool isFunctionObject(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && (record->isLambda() || isNamed(record, "std::function"));
}

bool isStandardStream(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && inNamespace(record, "std") && record->getIdentifier() != nullptr &&
         record->getName().ends_with("stream");
}

bool isRandomEngine(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr) {
    return false;
  }
  const StringRef name = record->getName();
  if (inNamespace(record, "std")) {
    return name.ends_with("_engine") || name == "random_device" || name.ends_with("_distribution");
  }
  return isNamed(record, "at::Generator") || isNamed(record, "torch::Generator");
}

bool isScopeGuard(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr) {
    return false;
  }
  const StringRef name = record->getName();
  return (inNamespace(record, "at") || inNamespace(record, "torch") ||
          inNamespace(record, "c10")) &&
         (name.ends_with("Guard") || name.ends_with("GradMode") || name == "InferenceMode");
}

const clang::CXXRecordDecl* guardIn(clang::QualType type, int depth) {
  constexpr int kDeepest = 4;
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || depth > kDeepest) {
    return nullptr;
  }
  const clang::CXXRecordDecl* guard = nullptr;
  const auto look = [&](clang::QualType held) {
    guard = isScopeGuard(held) ? held->getAsCXXRecordDecl() : guardIn(held, depth + 1);
    return guard == nullptr;
  };
  if (inNamespace(record, "std")) {
    allArguments(record, look);
  } else if (!inNamespace(record, "torch") && !inNamespace(record, "at") &&
             !inNamespace(record, "c10")) {
    for (const clang::FieldDecl* field : record->getDefinition()->fields()) {
      if (!look(field->getType())) {
        break;
      }
    }
  }
  return guard;
}

}  // namespace fdg::compiler
