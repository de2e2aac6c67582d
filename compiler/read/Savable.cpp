#include "compiler/read/Savable.h"

#include "clang/AST/CXXInheritance.h"
#include "clang/AST/DeclTemplate.h"
#include "compiler/read/CannotCross.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"
#include "llvm/ADT/StringSwitch.h"

namespace fdg::compiler {
namespace {

/// In the class or one of its bases.
bool anyBase(const clang::CXXRecordDecl* record,
             llvm::function_ref<bool(const clang::CXXRecordDecl*)> fits) {
  if (fits(record)) {
    return true;
  }
  return llvm::any_of(record->bases(), [&](const clang::CXXBaseSpecifier& base) {
    const auto* parent = base.getType()->getAsCXXRecordDecl();
    return parent != nullptr && parent->hasDefinition() && anyBase(parent->getDefinition(), fits);
  });
}

bool hasArchive(const clang::CXXRecordDecl* record) {
  return llvm::any_of(record->decls(), [](const clang::Decl* decl) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
    return named != nullptr && named->getIdentifier() != nullptr && named->getName() == "archive" &&
           named->getAccess() == clang::AS_public &&
           llvm::isa<clang::FunctionTemplateDecl, clang::CXXMethodDecl>(named);
  });
}

bool isOfTorch(const clang::CXXRecordDecl* record) {
  return anyBase(record, [](const clang::CXXRecordDecl* base) {
    return isNamed(base, "torch::nn::Module") ||
           isNamed(base, "torch::detail::ModuleHolderIndicator") ||
           isNamed(base, "torch::optim::Optimizer");
  });
}

/// The class whose `archive` counts for an object of that class; null: none.
const clang::CXXRecordDecl* archiver(const clang::CXXRecordDecl* record) {
  if (hasArchive(record)) {
    return record;
  }
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const auto* parent = base.getType()->getAsCXXRecordDecl();
    const auto* found = parent != nullptr && parent->hasDefinition()
                            ? archiver(parent->getDefinition())
                            : nullptr;
    if (found != nullptr) {
      return found;
    }
  }
  return nullptr;
}

/// A base's `archive` does not know of the fields that a class adds.
std::optional<std::string> whyArchiveIsNotWhole(const clang::CXXRecordDecl* record) {
  const clang::CXXRecordDecl* by = archiver(record);
  for (const clang::CXXRecordDecl* added = record; added != by;) {
    if (!added->field_empty() || added->getNumBases() > 1) {
      return "its class `" + added->getNameAsString() +
             "` has fields that the `archive` of its base `" + by->getNameAsString() +
             "` does not name; give it an `archive` of its own";
    }
    added = added->bases_begin()->getType()->getAsCXXRecordDecl()->getDefinition();
  }
  return std::nullopt;
}

/// Of what a pointer to a base points to, only a virtual `archive` knows all.
std::optional<std::string> whyPointeeIsNotWhole(clang::QualType type) {
  const auto* record = type.getCanonicalType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || !record->getDefinition()->isPolymorphic() ||
      record->getDefinition()->hasAttr<clang::FinalAttr>() || isOfTorch(record->getDefinition())) {
    return std::nullopt;
  }
  const clang::CXXRecordDecl* by = archiver(record->getDefinition());
  const bool is_virtual = by != nullptr && llvm::any_of(by->methods(), [](const auto* method) {
    return method->getIdentifier() != nullptr && method->getName() == "archive" &&
           method->isVirtual();
  });
  if (is_virtual) {
    return std::nullopt;
  }
  return "of a `" + shownType(type) +
         "` that may be of a class derived from it, only a virtual `archive(fdg::Archive&)` would "
         "name all fields";
}

/// A container whose elements the archive visits one by one.
bool isVisited(const clang::CXXRecordDecl* record) {
  return record->getIdentifier() != nullptr && inNamespace(record, "std") &&
         llvm::StringSwitch<bool>(record->getName())
             .Cases("vector", "array", "deque", "optional", "pair", "tuple", "unique_ptr", true)
             .Default(false);
}

std::string noArchive(clang::QualType type) {
  return "its class `" + shownType(type) + "` has no `archive`";
}

std::optional<std::string> whyElementsAreNotSavable(const clang::CXXRecordDecl* record) {
  std::optional<std::string> why;
  const bool owner = record->getName() == "unique_ptr";
  const auto* list = llvm::cast<clang::ClassTemplateSpecializationDecl>(record);
  if (record->getName() == "vector" || record->getName() == "array" || owner ||
      record->getName() == "optional" || record->getName() == "deque") {
    const clang::QualType held = list->getTemplateArgs()[0].getAsType();  // not its allocator
    const auto partial = owner ? whyPointeeIsNotWhole(held) : std::nullopt;
    return partial ? partial : whyNotSavable(held);
  }
  allArguments(record, [&](clang::QualType inner) {
    why = whyNotSavable(inner);
    return !why;
  });
  return why;
}

}  // namespace

std::optional<std::string> whyNotMade(clang::QualType type) {
  const auto* record = type.getCanonicalType()->getAsCXXRecordDecl();
  const bool owner = record != nullptr && isNamed(record, "std::unique_ptr");
  if (!owner && (record == nullptr || !isNamed(record, "std::optional"))) {
    return std::nullopt;
  }
  const clang::QualType held = llvm::cast<clang::ClassTemplateSpecializationDecl>(record)
                                   ->getTemplateArgs()[0]
                                   .getAsType();
  const auto* object = held.getCanonicalType()->getAsCXXRecordDecl();
  if (object == nullptr || !object->hasDefinition()) {
    return std::nullopt;
  }
  if (owner && object->getDefinition()->isPolymorphic()) {
    return "`" + shownType(held) +
           "` has virtual functions: a checkpoint cannot tell of which class to make one";
  }
  if (!object->getDefinition()->hasDefaultConstructor()) {
    return "a checkpoint cannot make a `" + shownType(held) + "`, which needs arguments";
  }
  return std::nullopt;
}

std::optional<std::string> whyNotSavable(clang::QualType type) {
  type = type.getNonReferenceType().getUnqualifiedType();
  if (!whyCannotCross(type)) {
    return std::nullopt;
  }
  const auto* record = type.getCanonicalType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) {
    return "an object of type `" + shownType(type) + "` cannot be saved";
  }
  record = record->getDefinition();
  if (archiver(record) != nullptr) {
    return whyArchiveIsNotWhole(record);
  }
  if (isOfTorch(record)) {
    return std::nullopt;
  }
  if (record->isLambda() || inNamespace(record, "std")) {
    return isVisited(record) ? whyElementsAreNotSavable(record)
                             : std::optional("an object of type `" + shownType(type) +
                                             "` cannot be saved");
  }
  if (!record->isAggregate() || record->isUnion() || record->getNumBases() > 0 ||
      containsItself(record) || isHidden(record)) {
    return noArchive(type);
  }
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isBitField() || field->getType()->isReferenceType() ||
        field->getType().isConstQualified() || whyNotSavable(field->getType())) {
      return noArchive(type);
    }
  }
  return std::nullopt;
}

}  // namespace fdg::compiler
