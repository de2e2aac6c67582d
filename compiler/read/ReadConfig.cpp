#include "compiler/read/ReadConfig.h"

#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RawCommentList.h"
#include "clang/Lex/Lexer.h"
#include "compiler/read/Entities.h"

namespace fdg::compiler {
namespace {

std::optional<std::string> scalarType(clang::QualType type) {
  type = type.getCanonicalType();
  if (type->isBooleanType()) {
    return "bool";
  }
  if (type->isIntegerType() && !type->isEnumeralType()) {
    return "int";
  }
  if (type->isRealFloatingType()) {
    return "float";
  }
  return std::nullopt;
}

/// The manifest's name of a settable type.
std::optional<std::string> settableType(clang::QualType type) {
  if (const auto scalar = scalarType(type)) {
    return scalar;
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (isNamed(record, "std::basic_string")) {
    return "string";
  }
  const auto* vector = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (vector == nullptr || !isNamed(vector, "std::vector")) {
    return std::nullopt;
  }
  const auto element = vector->getTemplateArgs()[0].getAsType().getCanonicalType();
  const auto& context = record->getASTContext();
  if (context.hasSameType(element, context.getIntTypeForBitwidth(64, 1))) {
    return "ints";
  }
  return element->isSpecificBuiltinType(clang::BuiltinType::Double)
             ? std::optional<std::string>("floats")
             : std::nullopt;
}

std::string defaultText(const clang::FieldDecl& field) {
  const clang::Expr* initialiser = field.getInClassInitializer();
  if (initialiser == nullptr) {
    return "";
  }
  const auto& context = field.getASTContext();
  return clang::Lexer::getSourceText(
             clang::CharSourceRange::getTokenRange(initialiser->getSourceRange()),
             context.getSourceManager(), context.getLangOpts())
      .str();
}

std::string aboutText(const clang::FieldDecl& field) {
  const auto& context = field.getASTContext();
  const clang::RawComment* comment = context.getRawCommentForDeclNoCache(&field);
  return comment != nullptr ? std::string(comment->getBriefText(context)) : "";
}

void readInto(const clang::CXXRecordDecl& record, const std::string& prefix,
              std::vector<ConfigField>& out) {
  for (const clang::FieldDecl* field : record.fields()) {
    const std::string name = prefix + field->getNameAsString();
    if (const auto type = settableType(field->getType())) {
      out.push_back({name, *type, defaultText(*field), aboutText(*field)});
      continue;
    }
    const auto* nested = field->getType()->getAsCXXRecordDecl();
    if (nested != nullptr && nested->hasDefinition() && nested->isAggregate() &&
        !nested->isUnion() && !inNamespace(nested, "std")) {
      readInto(*nested->getDefinition(), name + ".", out);
    }
  }
}

}  // namespace

std::vector<ConfigField> readConfig(const clang::CXXRecordDecl& config) {
  std::vector<ConfigField> fields;
  readInto(config, "", fields);
  return fields;
}

}  // namespace fdg::compiler
