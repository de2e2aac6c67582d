#include "compiler/read/Types.h"

#include <functional>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "compiler/read/Entities.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using llvm::StringRef;

bool isStandardView(const clang::CXXRecordDecl* record) {
  static const llvm::StringSet<> names = {
      "basic_string_view", "span",       "function", "reference_wrapper",
      "initializer_list",  "shared_ptr", "weak_ptr", "move_only_function"};
  const StringRef name = record->getIdentifier() != nullptr ? record->getName() : StringRef();
  return names.contains(name) || name.ends_with("iterator") || name.starts_with("_Bit_") ||
         name.starts_with("_Bind") || name == "_Mem_fn" || name.ends_with("_view");
}

bool isSettings(const clang::CXXRecordDecl* record) {
  static const llvm::StringSet<> names = {"Device",      "Scalar",   "TensorOptions", "SymInt",
                                          "complex",     "Half",     "BFloat16",      "Slice",
                                          "TensorIndex", "TypeMeta", "ExpandingArray"};
  const StringRef name = record->getIdentifier() != nullptr ? record->getName() : StringRef();
  return names.contains(name) || name.ends_with("Options");
}

bool isTensorView(const clang::CXXRecordDecl* record) {
  const StringRef name = record->getIdentifier() != nullptr ? record->getName() : StringRef();
  return name.contains("Accessor") || name.ends_with("ArrayRef") || name == "OptionalArrayRef" ||
         name == "Storage" || name == "TensorRef" || name == "MaybeOwned" || name == "TensorBase" ||
         name == "OrderedDict" || name == "Item" || name == "OptimizerParamGroup";  // of handles
}

/// A type of `within` or one of those around it: `struct Tree { std::vector<Tree> kids; }`.
bool reaches(clang::QualType type, std::set<const clang::CXXRecordDecl*>& within) {
  const auto* record = type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) {
    return false;
  }
  record = record->getDefinition();
  if (!within.insert(record).second) {
    return true;
  }
  bool found =
      !allArguments(record, [&](clang::QualType inner) { return !reaches(inner, within); });
  if (!inNamespace(record, "std")) {
    found |= llvm::any_of(record->fields(), [&](const clang::FieldDecl* field) {
      return reaches(field->getType(), within);
    });
  }
  within.erase(record);
  return found;
}

bool changesItself(const clang::CXXRecordDecl* record) {
  for (const clang::CXXMethodDecl* method : record->methods()) {
    if (!method->isImplicit() && !method->isStatic() && !method->isConst() &&
        !llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(
            method) &&
        !method->isCopyAssignmentOperator() && !method->isMoveAssignmentOperator()) {
      return true;
    }
  }
  for (const clang::Decl* decl : record->decls()) {
    const auto* method_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl);
    const auto* method =
        method_template != nullptr
            ? llvm::dyn_cast<clang::CXXMethodDecl>(method_template->getTemplatedDecl())
            : nullptr;
    if (method != nullptr && !method->isStatic() && !method->isConst() &&
        !llvm::isa<clang::CXXConstructorDecl, clang::CXXConversionDecl>(method) &&
        !(method->getIdentifier() != nullptr && method->getName() == "archive")) {
      return true;
    }
  }
  return llvm::any_of(record->bases(), [](const clang::CXXBaseSpecifier& base) {
    const auto* base_record = base.getType()->getAsCXXRecordDecl();
    return base_record != nullptr && base_record->hasDefinition() &&
           changesItself(base_record->getDefinition());
  });
}

TypeKind kindOfAggregate(const clang::CXXRecordDecl* record) {
  TypeKind kind = TypeKind::aggregate;
  for (const clang::FieldDecl* field : record->fields()) {
    const TypeKind inner =
        field->getType()->isReferenceType() ? TypeKind::view : kindOf(field->getType());
    if (inner == TypeKind::component) {
      return TypeKind::component;
    }
    if (!isValue(inner)) {
      kind = inner;
    }
  }
  return kind;
}

TypeKind kindOfStandard(const clang::CXXRecordDecl* record) {
  if (isNamed(record, "std::basic_string")) {
    return TypeKind::text;
  }
  if (standardContainer(record)) {
    TypeKind worst = TypeKind::container;
    allArguments(record, [&](clang::QualType type) {
      const bool refers = type->isPointerType() || type->isReferenceType();
      const TypeKind kind = refers ? TypeKind::view : kindOf(type);
      if (!isValue(kind) && worst != TypeKind::component) {
        worst = kind;
      }
      return true;
    });
    return worst;
  }
  if (record->getName() == "unique_ptr") {
    return TypeKind::component;
  }
  if (record->getName() == "shared_ptr") {
    bool component = false;
    allArguments(record, [&](clang::QualType type) {
      component |= isComponent(type);
      return true;
    });
    return component ? TypeKind::component : TypeKind::view;
  }
  if (isStandardView(record)) {
    return TypeKind::view;
  }
  if (record->isAggregate() && !record->isUnion() && !changesItself(record)) {
    return kindOfAggregate(record);  // std::ranges::min_max_result
  }
  const StringRef name = record->getName();
  return name == "duration" || name == "time_point" || !changesItself(record) ? TypeKind::constant
                                                                              : TypeKind::component;
}

TypeKind kindOfRecord(const clang::CXXRecordDecl* record) {
  if (!record->hasDefinition()) {
    return TypeKind::constant;
  }
  record = record->getDefinition();
  if (mark(record, "fdg::role=")) {
    return TypeKind::component;
  }
  if (record->isLambda()) {
    return TypeKind::view;
  }
  if (inNamespace(record, "std") && record->getIdentifier() != nullptr) {
    return kindOfStandard(record);
  }
  if (inNamespace(record, "__gnu_cxx")) {
    return TypeKind::view;
  }
  if (inNamespace(record, "at") || inNamespace(record, "c10") || inNamespace(record, "torch")) {
    if (isTensorView(record)) {
      return TypeKind::view;
    }
    if (isSettings(record) || isScopeGuard(record->getASTContext().getTypeDeclType(record))) {
      return TypeKind::constant;
    }
  }
  if (changesItself(record)) {
    return TypeKind::component;
  }
  if (!record->isAggregate() || record->isUnion() || containsItself(record)) {
    return TypeKind::constant;
  }
  return kindOfAggregate(record);
}

}  // namespace

std::optional<bool> standardContainer(const clang::CXXRecordDecl* record) {
  static const llvm::StringSet<> crossing = {"vector", "array", "optional", "pair",
                                             "tuple",  "map",   "set",      "unordered_map"};
  static const llvm::StringSet<> others = {"deque",
                                           "list",
                                           "forward_list",
                                           "multimap",
                                           "multiset",
                                           "unordered_set",
                                           "queue",
                                           "stack",
                                           "variant",
                                           "bitset",
                                           "priority_queue",
                                           "complex",
                                           "any",
                                           "unordered_multimap"};
  if (!inNamespace(record, "std") || record->getIdentifier() == nullptr) {
    return std::nullopt;
  }
  if (crossing.contains(record->getName())) {
    return true;
  }
  return others.contains(record->getName()) ? std::optional(false) : std::nullopt;
}

bool allArguments(const clang::CXXRecordDecl* record,
                  const std::function<bool(clang::QualType)>& f) {
  const auto* specialisation = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (specialisation == nullptr) {
    return true;
  }
  const std::function<bool(const clang::TemplateArgument&)> visit =
      [&](const clang::TemplateArgument& argument) {
        if (argument.getKind() == clang::TemplateArgument::Type) {
          const auto* inner = argument.getAsType()->getAsCXXRecordDecl();
          const bool machinery =
              inner != nullptr && inNamespace(inner, "std") && inner->getIdentifier() != nullptr &&
              (inner->getName() == "allocator" || inner->getName() == "less" ||
               inner->getName() == "hash" || inner->getName() == "equal_to" ||
               inner->getName() == "char_traits" || inner->getName() == "greater");
          return machinery || f(argument.getAsType());
        }
        if (argument.getKind() == clang::TemplateArgument::Pack) {
          return llvm::all_of(argument.pack_elements(), visit);
        }
        return true;
      };
  return llvm::all_of(specialisation->getTemplateArgs().asArray(), visit);
}

bool containsItself(const clang::CXXRecordDecl* record) {
  std::set<const clang::CXXRecordDecl*> within;
  return reaches(clang::QualType(record->getTypeForDecl(), 0), within);
}

TypeKind kindOf(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isArithmeticType() || type->isEnumeralType()) {
    return TypeKind::plain;
  }
  if (isTensor(type)) {
    return TypeKind::tensor;
  }
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    const TypeKind kind = kindOf(array->getElementType());
    return isValue(kind) ? TypeKind::constant : kind;
  }
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr ? kindOfRecord(record) : TypeKind::view;
}

bool isValue(TypeKind kind) {
  return kind == TypeKind::plain || kind == TypeKind::tensor || kind == TypeKind::text ||
         kind == TypeKind::container || kind == TypeKind::aggregate;
}

std::string roleOf(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr) {
    return "";
  }
  if (const auto role = mark(record, "fdg::role=")) {
    return *role;
  }
  if (const auto* list = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
      list != nullptr && inNamespace(list, "std")) {
    for (const clang::TemplateArgument& argument : list->getTemplateArgs().asArray()) {
      if (argument.getKind() == clang::TemplateArgument::Type) {
        if (std::string role = roleOf(argument.getAsType()); !role.empty()) {
          return role;  // a vector of environments, a map from names to actors
        }
      }
    }
    return "";
  }
  if (record->hasDefinition()) {
    for (const clang::CXXBaseSpecifier& base : record->getDefinition()->bases()) {
      const auto* inherited = base.getType()->getAsCXXRecordDecl();
      if (inherited != nullptr && !inNamespace(inherited, "std")) {
        if (std::string role = roleOf(base.getType()); !role.empty()) {
          return role;
        }
      }
    }
  }
  return "";
}

bool sharesState(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
    return sharesState(array->getElementType());
  }
  const TypeKind kind = kindOf(type);
  if (kind == TypeKind::tensor || kind == TypeKind::view || kind == TypeKind::component) {
    return true;
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || kind == TypeKind::text) {
    return false;
  }
  if (kind == TypeKind::container) {
    return isNamed(record, "std::any") || !allArguments(record, [](clang::QualType inner) { return !sharesState(inner); });
  }
  if (containsItself(record->getDefinition())) {
    return true;
  }
  return llvm::any_of(record->getDefinition()->fields(), [](const clang::FieldDecl* field) {
    return field->getType()->isReferenceType() || sharesState(field->getType());
  });
}

bool mayRefer(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
    return mayRefer(array->getElementType());
  }
  const TypeKind kind = kindOf(type);
  const auto* record = type->getAsCXXRecordDecl();
  if (kind == TypeKind::view || record == nullptr || !record->hasDefinition()) {
    return kind == TypeKind::view;
  }
  const bool library = inNamespace(record, "std") || inNamespace(record, "at") ||
                       inNamespace(record, "c10") || inNamespace(record, "torch");
  if (kind == TypeKind::component || library) {
    return false;  // a container of pointers is a view; components keep copies
  }
  if (containsItself(record->getDefinition())) {
    return true;
  }
  return llvm::any_of(record->getDefinition()->fields(), [](const clang::FieldDecl* field) {
    return field->getType()->isReferenceType() || mayRefer(field->getType());
  });
}

bool assignsThrough(clang::QualType type) {
  const auto* record = type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
  if (record == nullptr || !inNamespace(record, "std") || record->getIdentifier() == nullptr) {
    return false;
  }
  return record->getName() == "_Bit_reference" ||
         (standardContainer(record) &&
          !allArguments(record, [](clang::QualType inner) { return !inner->isReferenceType(); }));
}

bool givesWriteAccess(clang::QualType type) {
  return (type->isLValueReferenceType() || type->isPointerType()) &&
         !type->getPointeeType().isConstQualified();
}

bool isReadOnlyView(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType()) {
    return type->getPointeeType().isConstQualified();
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr) {
    return false;
  }
  const StringRef name = record->getName();
  if (name == "basic_string_view" || name == "initializer_list" || name.ends_with("ArrayRef")) {
    return true;
  }
  const auto* span = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  return name == "span" && span != nullptr &&
         span->getTemplateArgs()[0].getAsType().isConstQualified();
}

bool isHidden(const clang::TagDecl* tag) {
  const clang::Decl* decl = tag;
  for (; llvm::isa<clang::RecordDecl>(decl->getDeclContext());
       decl = llvm::cast<clang::Decl>(decl->getDeclContext())) {
    if (decl->getAccess() == clang::AS_private || decl->getAccess() == clang::AS_protected) {
      return true;
    }
  }
  return false;
}

}  // namespace fdg::compiler
