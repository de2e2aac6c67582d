#include "compiler/read/RowTypes.h"

#include "clang/AST/DeclTemplate.h"
#include "compiler/read/CannotCross.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

/// Has the fields that its type says, each a value with rows of its own.
bool isFixed(const clang::CXXRecordDecl* record) {
  return isNamed(record, "std::optional") || isNamed(record, "std::pair") ||
         isNamed(record, "std::tuple") || isNamed(record, "std::array");
}

/// A tensor, or several in one; what is in a struct is one row, since somebody gave it a name.
bool isTensors(clang::QualType type) {
  type = type.getNonReferenceType();
  const auto* record = type->getAsCXXRecordDecl();
  return isTensor(type) || (isFixed(record) && !allArguments(record, [](clang::QualType inner) {
                              return !isTensors(inner);
                            }));
}

}  // namespace

bool holdsRows(clang::QualType type) {
  type = type.getNonReferenceType();
  const TypeKind kind = kindOf(type);
  const auto* record = type->getAsCXXRecordDecl();
  if (kind == TypeKind::tensor || isNamed(record, "std::vector")) {
    return true;
  }
  if (kind == TypeKind::aggregate) {
    return llvm::any_of(record->fields(),
                        [](const clang::FieldDecl* field) { return holdsRows(field->getType()); });
  }
  return isFixed(record) &&
         !allArguments(record, [](clang::QualType argument) { return !holdsRows(argument); });
}

bool needsRows(OperationKind operation, bool loose) {
  return operation == OperationKind::gather || operation == OperationKind::scatter ||
         (operation == OperationKind::append && !loose);
}

std::optional<ListOfTensors> listOfTensorsIn(clang::QualType type) {
  type = type.getNonReferenceType();
  const auto* record = type->getAsCXXRecordDecl();
  std::optional<ListOfTensors> found;
  if (isNamed(record, "std::vector")) {
    allArguments(record, [&](clang::QualType inner) {
      if (isTensors(inner)) {
        found = ListOfTensors{"", shownType(type)};
      }
      return false;  // the allocator
    });
  } else if (isFixed(record)) {
    allArguments(record, [&](clang::QualType inner) {
      found = listOfTensorsIn(inner);
      return !found;
    });
  } else if (kindOf(type) == TypeKind::aggregate) {
    for (const clang::FieldDecl* field : record->fields()) {
      if ((found = listOfTensorsIn(field->getType()))) {
        found->where = "its field `" + field->getNameAsString() + "`: " + found->where;
        return found;
      }
    }
  }
  return found;
}

}  // namespace fdg::compiler
