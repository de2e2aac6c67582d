#include "compiler/read/CannotCross.h"

#include "clang/AST/DeclCXX.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

CannotCross because(Message message, clang::QualType type) {
  return {message, "", shownType(type)};
}

std::optional<CannotCross> whyFieldCannotCross(const clang::FieldDecl* field) {
  std::optional<CannotCross> why;
  if (field->isBitField()) {
    why = because(Message::cross_bit_field, field->getType());
  } else if (field->getType().isConstQualified()) {
    why = because(Message::cross_const_field, field->getType());
  } else {
    why = whyCannotCross(field->getType());
  }
  if (why) {
    why->where = "its field `" + field->getNameAsString() + "`: " + why->where;
  }
  return why;
}

/// Comparators and hashes are made anew where a container arrives.
const clang::CXXRecordDecl* comparatorWithState(const clang::CXXRecordDecl* container) {
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(container);
  const llvm::StringRef name = container->getName();
  if (made == nullptr || (name != "map" && name != "set" && name != "unordered_map")) {
    return nullptr;
  }
  for (unsigned i = name == "set" ? 1 : 2; i < made->getTemplateArgs().size(); ++i) {
    const auto* record = made->getTemplateArgs()[i].getAsType()->getAsCXXRecordDecl();
    if (record != nullptr && record->hasDefinition() && !record->getDefinition()->isEmpty()) {
      return record;
    }
  }
  return nullptr;
}

std::optional<CannotCross> whyRecordCannotCross(const clang::CXXRecordDecl* record,
                                                clang::QualType type) {
  if (!record->hasDefinition()) {
    return because(Message::cross_not_plain, type);
  }
  record = record->getDefinition();
  if (containsItself(record)) {
    return because(Message::cross_recursive, type);
  }
  if (const auto crosses = standardContainer(record)) {
    if (!*crosses) {
      return because(Message::cross_container, type);
    }
    if (const clang::CXXRecordDecl* comparator = comparatorWithState(record)) {
      return because(Message::cross_comparator,
                     comparator->getASTContext().getTypeDeclType(comparator));
    }
    std::optional<CannotCross> why;
    allArguments(record, [&](clang::QualType inner) {
      why = whyCannotCross(inner);
      return !why;
    });
    return why;
  }
  if (isHidden(record)) {
    return because(Message::cross_hidden_type, type);
  }
  for (const clang::FieldDecl* field : record->fields()) {
    if (auto why = whyFieldCannotCross(field)) {
      return why;
    }
  }
  if (record->getNumBases() > 0) {
    return because(Message::cross_base, type);
  }
  return std::nullopt;
}

/// Numbers that are no arithmetic types of standard C++.
bool isOddNumber(clang::QualType type) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  return type->isAnyComplexType() || type->isVectorType() || type->isBitIntType() ||
         (builtin != nullptr && (builtin->getKind() == clang::BuiltinType::Int128 ||
                                 builtin->getKind() == clang::BuiltinType::UInt128 ||
                                 builtin->getKind() == clang::BuiltinType::Float128 ||
                                 builtin->getKind() == clang::BuiltinType::Float16 ||
                                 builtin->getKind() == clang::BuiltinType::BFloat16 ||
                                 builtin->getKind() == clang::BuiltinType::Half));
}

}  // namespace

std::string shownType(clang::QualType type) {
  clang::LangOptions cpp;
  cpp.CPlusPlus = true;
  cpp.Bool = true;
  return type.getUnqualifiedType().getAsString(clang::PrintingPolicy(cpp));
}

std::optional<CannotCross> whyCannotCross(clang::QualType type) {
  if (type->isReferenceType()) {
    return because(Message::cross_reference, type);
  }
  if (type.isVolatileQualified()) {
    return because(Message::cross_volatile, type);
  }
  const clang::QualType written = type;
  type = type.getCanonicalType();
  if (type->isFunctionPointerType() || type->isMemberFunctionPointerType()) {
    return because(Message::cross_function, written);
  }
  if (type->isPointerType() || type->isMemberPointerType() || type->isNullPtrType()) {
    return because(Message::cross_pointer, written);
  }
  if (type->isArrayType()) {
    return because(Message::cross_array, written);
  }
  if (isOddNumber(type)) {
    return because(Message::cross_odd_number, written);
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (const auto* tag = type->getAsTagDecl();
      record == nullptr && tag != nullptr && isHidden(tag)) {
    return because(Message::cross_hidden_type, written);
  }
  if (record == nullptr) {
    return isValue(kindOf(type)) ? std::nullopt
                                 : std::optional(because(Message::cross_not_plain, written));
  }
  if (record->isLambda() || isNamed(record, "std::function") ||
      isNamed(record, "std::move_only_function")) {
    return because(Message::cross_function, written);
  }
  if (record->getIdentifier() == nullptr && record->getTypedefNameForAnonDecl() == nullptr) {
    return because(Message::cross_unnamed, written);
  }
  switch (kindOf(type)) {
    case TypeKind::plain:
    case TypeKind::tensor:
    case TypeKind::text:
      return std::nullopt;
    case TypeKind::component:
      return standardContainer(record).value_or(false) ? whyRecordCannotCross(record, written)
                                                       : because(Message::cross_component, written);
    case TypeKind::view:
      if (standardContainer(record) ||
          !(inNamespace(record, "std") || inNamespace(record, "__gnu_cxx"))) {
        if (auto why = whyRecordCannotCross(record, written)) {
          return why;
        }
      }
      return because(Message::cross_view, written);
    case TypeKind::constant: {
      auto why = whyRecordCannotCross(record, written);
      const bool container = standardContainer(record).has_value();
      return why && (record->isAggregate() || container)
                 ? why
                 : because(Message::cross_not_plain, written);
    }
    default:
      return whyRecordCannotCross(record, written);
  }
}

std::optional<CannotCross> whyCannotCross(const clang::ValueDecl* value) {
  const auto* binding = llvm::dyn_cast<clang::BindingDecl>(value);
  if (binding == nullptr) {
    return whyCannotCross(value->getType());
  }
  if (binding->getDecomposedDecl()->getType()->isLValueReferenceType()) {
    return CannotCross{Message::cross_binding, "", value->getNameAsString()};
  }
  const bool held = binding->getHoldingVar() != nullptr;  // std::get gives references
  return whyCannotCross(held ? value->getType().getNonReferenceType() : value->getType());
}

std::string clauseOf(const CannotCross& why) {
  const std::string text = messageText(why.message);
  const std::string clause = text.substr(text.find("%1") + 2);
  std::string reason = clause.substr(0, clause.find(';'));
  if (const size_t hole = reason.find("%2"); hole != std::string::npos) {
    reason.replace(hole, 2, why.what);
  }
  return why.where + reason;
}

}  // namespace fdg::compiler
