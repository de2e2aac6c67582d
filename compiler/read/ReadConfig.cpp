#include "compiler/read/ReadConfig.h"

#include <map>
#include <optional>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RawCommentList.h"
#include "clang/Lex/Lexer.h"
#include "compiler/read/Entities.h"
#include "compiler/read/SpellType.h"
#include "compiler/read/Types.h"

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

/// Names of a struct and its bases, each with how often it stands there where nothing hides it.
std::map<std::string, int> memberNames(const clang::CXXRecordDecl& record) {
  std::map<std::string, int> names;
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    const auto* inner = base.getType()->getAsCXXRecordDecl();
    if (inner != nullptr && inner->hasDefinition()) {
      for (const auto& [name, times] : memberNames(*inner->getDefinition())) {
        names[name] += times;
      }
    }
  }
  for (const clang::FieldDecl* field : record.fields()) {
    names[field->getNameAsString()] = 1;
  }
  return names;
}

/// Which clause of config_field_fixed says why a field cannot be set.
enum class Fixed { no_access, constant, reference, bit_field, array, hidden, other };

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void read(const clang::CXXRecordDecl& record, const std::string& prefix) {
    for (const auto& [name, times] : memberNames(record)) {
      if (times > 1) {
        ambiguous_.insert(prefix + name);
      }
    }
    for (const clang::FieldDecl* field : record.fields()) {
      this->field(*field, prefix + field->getNameAsString());
    }
    for (const clang::CXXBaseSpecifier& base : record.bases()) {
      const auto* inner = base.getType()->getAsCXXRecordDecl();
      if (inner != nullptr && inner->hasDefinition() &&
          base.getAccessSpecifier() == clang::AS_public) {
        read(*inner->getDefinition(), prefix);
      }
    }
  }
  std::vector<SettableField> take() { return std::move(fields_); }

 private:
  void field(const clang::FieldDecl& field, const std::string& name) {
    if (const auto why = whyFixed(field, name)) {
      fix(field, *why);
      return;
    }
    SettableField settable{{name, "", defaultText(field), aboutText(field)}, false, {}, ""};
    if (describe(field.getType(), settable)) {
      fields_.push_back(std::move(settable));
      return;
    }
    const auto* nested = field.getType()->getAsCXXRecordDecl();
    const size_t before = fields_.size();
    if (nested != nullptr && nested->hasDefinition() && !nested->isUnion() &&
        !inNamespace(nested, "std") && !isTensor(field.getType())) {
      read(*nested->getDefinition(), name + ".");
    }
    if (fields_.size() == before) {
      fix(field, Fixed::other);
    }
  }

  std::optional<Fixed> whyFixed(const clang::FieldDecl& field, const std::string& name) const {
    const clang::QualType type = field.getType();
    const bool taken =
        ambiguous_.count(name) > 0 ||
        llvm::any_of(fields_, [&](const SettableField& other) { return other.info.name == name; });
    if (field.getAccess() != clang::AS_public || field.isAnonymousStructOrUnion()) {
      return field.isAnonymousStructOrUnion() ? Fixed::other : Fixed::no_access;
    }
    return type.isConstQualified()   ? std::optional(Fixed::constant)
           : type->isReferenceType() ? std::optional(Fixed::reference)
           : field.isBitField()      ? std::optional(Fixed::bit_field)
           : type->isArrayType()     ? std::optional(Fixed::array)
           : taken                   ? std::optional(Fixed::hidden)
                                     : std::nullopt;
  }

  void fix(const clang::FieldDecl& field, Fixed why) {
    diagnostics_.report(field.getLocation(), Message::config_field_fixed)
        << &field << static_cast<int>(why);
  }

  /// Fills in the type; false: a field of this type cannot be set as a whole.
  static bool describe(clang::QualType type, SettableField& field) {
    if (const auto plain = settableType(type)) {
      field.info.type = *plain;
      return true;
    }
    if (const auto* list = type->getAs<clang::EnumType>()) {
      return describeEnum(*list->getDecl(), type, field);
    }
    const auto* optional =
        llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (optional == nullptr || !isNamed(optional, "std::optional")) {
      return false;
    }
    const clang::QualType inner = optional->getTemplateArgs()[0].getAsType();
    const bool nests = isNamed(inner->getAsCXXRecordDecl(), "std::optional");
    if (nests || !describe(inner, field)) {
      return false;
    }
    field.is_optional = true;
    field.info.type = "optional " + field.info.type;
    return true;
  }

  static bool describeEnum(const clang::EnumDecl& list, clang::QualType type,
                           SettableField& field) {
    if (list.getDefinition() == nullptr || isHidden(&list) ||
        (list.getIdentifier() == nullptr && list.getTypedefNameForAnonDecl() == nullptr)) {
      return false;
    }
    for (const clang::EnumConstantDecl* value : list.getDefinition()->enumerators()) {
      field.choices.push_back(value->getNameAsString());
    }
    field.scope = "::" + canonicalType(type, list.getASTContext()) + "::";
    field.info.type = "enum";
    return !field.choices.empty();
  }

  Diagnostics& diagnostics_;
  std::vector<SettableField> fields_;
  std::set<std::string> ambiguous_;  // in two bases: `config.name` is an error
};

/// Which clause of config_not_default says why it cannot be made; nothing: it can.
std::optional<int> whyNotMade(const clang::CXXRecordDecl& config, clang::Sema& sema) {
  constexpr int kDefaults = 0, kConstructor = 1, kDestructor = 2, kUnion = 3, kAbstract = 4,
                kIncomplete = 5;
  const clang::QualType type = config.getASTContext().getRecordType(&config);
  if (!sema.isCompleteType(config.getLocation(), type)) {
    return kIncomplete;
  }
  auto* record = const_cast<clang::CXXRecordDecl*>(config.getDefinition());
  if (record->isUnion()) {
    return kUnion;
  }
  if (record->isAbstract()) {
    return kAbstract;
  }
  const auto* destructor = sema.LookupDestructor(record);
  if (destructor != nullptr &&
      (destructor->isDeleted() || destructor->getAccess() != clang::AS_public)) {
    return kDestructor;
  }
  const auto* constructor = sema.LookupDefaultConstructor(record);
  if (constructor == nullptr || constructor->isDeleted() ||
      constructor->getAccess() != clang::AS_public) {
    return record->hasUserDeclaredConstructor() ? kConstructor : kDefaults;
  }
  return std::nullopt;
}

}  // namespace

std::vector<SettableField> readConfig(const clang::CXXRecordDecl& config, clang::Sema& sema,
                                      Diagnostics& diagnostics) {
  if (isHidden(&config)) {
    diagnostics.report(config.getLocation(), Message::config_unnamed) << &config;
    return {};
  }
  if (const auto why = whyNotMade(config, sema)) {
    diagnostics.report(config.getLocation(), Message::config_not_default) << &config << *why;
    return {};
  }
  Reader reader(diagnostics);
  reader.read(*config.getDefinition(), "");
  return reader.take();
}

}  // namespace fdg::compiler
