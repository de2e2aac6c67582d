#include "compiler/read/Reductions.h"

#include "clang/AST/DeclTemplate.h"
#include "compiler/read/CannotCross.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

class Folding {
 public:
  explicit Folding(OperationKind operation) : operation_(operation) {}

  std::optional<CannotReduce> why(clang::QualType type, bool outermost) const {
    type = type.getNonReferenceType();
    if (isTensor(type)) {
      return std::nullopt;
    }
    if (type->isArithmeticType()) {
      return number(type);
    }
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) {
      return because(Message::reduces_no_number, type);
    }
    record = record->getDefinition();
    if (isNamed(record, "std::basic_string")) {
      return outermost ? because(Message::reduces_no_number, type) : std::nullopt;
    }
    return inNamespace(record, "std") ? standard(*record, type) : fields(*record);
  }

 private:
  static std::optional<CannotReduce> because(Message message, clang::QualType type) {
    return CannotReduce{message, "", shownType(type)};
  }

  std::optional<CannotReduce> number(clang::QualType type) const {
    const bool folds_bools =
        operation_ == OperationKind::reduce_all || operation_ == OperationKind::reduce_any;
    if (type->isBooleanType()) {
      return folds_bools ? std::nullopt : because(Message::adds_bools, type);
    }
    if (folds_bools) {
      return because(Message::folds_no_bool, type);
    }
    const bool mean = operation_ == OperationKind::reduce_mean;
    return mean && type->isIntegerType() ? because(Message::averages_integers, type) : std::nullopt;
  }

  std::optional<CannotReduce> standard(const clang::CXXRecordDecl& record,
                                       clang::QualType type) const {
    const auto* list = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    const llvm::StringRef name = record.getName();
    if (list == nullptr ||
        !(name == "vector" || name == "array" || name == "pair" || name == "tuple")) {
      return because(Message::reduces_no_number, type);
    }
    for (const clang::TemplateArgument& argument : list->getTemplateArgs().asArray()) {
      const auto parts = argument.getKind() == clang::TemplateArgument::Pack
                             ? argument.pack_elements()
                             : llvm::ArrayRef(argument);
      for (const clang::TemplateArgument& part : parts) {
        if (part.getKind() != clang::TemplateArgument::Type || isAllocator(part.getAsType())) {
          continue;
        }
        if (name == "vector" && part.getAsType()->isBooleanType()) {
          return because(Message::reduces_no_number, type);  // vector<bool> has no elements
        }
        if (auto found = why(part.getAsType(), false)) {
          return found;
        }
      }
    }
    return std::nullopt;
  }

  static bool isAllocator(clang::QualType type) {
    return isNamed(type->getAsCXXRecordDecl(), "std::allocator");
  }

  std::optional<CannotReduce> fields(const clang::CXXRecordDecl& record) const {
    if (isNamed(&record, "fdg::Weighted")) {  // its weight is the run time's own
      return why(record.field_begin()->getType(), false);
    }
    for (const clang::FieldDecl* field : record.fields()) {
      if (auto found = why(field->getType(), false)) {
        found->where = "its field `" + field->getNameAsString() + "`: " + found->where;
        return found;
      }
    }
    return std::nullopt;
  }

  OperationKind operation_;
};

}  // namespace

std::optional<CannotReduce> whyCannotReduce(OperationKind operation, clang::QualType type) {
  return isReduction(operation) ? Folding(operation).why(type, true) : std::nullopt;
}

}  // namespace fdg::compiler
