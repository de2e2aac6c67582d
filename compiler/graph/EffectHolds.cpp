// The part of EffectWalk that sees what components keep of what they are given: references,
// pointers, handles.
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Types.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using clang::Expr;

/// The class of the object that a function of the standard library makes from its arguments; null:
/// it makes none.
const clang::CXXRecordDecl* madeBy(const clang::FunctionDecl* callee) {
  static const llvm::StringSet<> makers = {"make_unique",  "make_shared",   "make_optional",
                                           "emplace",      "emplace_back",  "emplace_front"};
  if (!makers.contains(callee->getNameAsString()) || !inNamespace(callee, "std")) {
    return nullptr;
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const auto* owner = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      method != nullptr ? method->getParent() : callee->getReturnType()->getAsCXXRecordDecl());
  if (owner == nullptr || owner->getTemplateArgs().size() == 0 ||
      owner->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type) {
    return nullptr;
  }
  const auto* record = owner->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() ? record->getDefinition() : nullptr;
}

}  // namespace

void EffectWalk::initialise(const clang::CXXCtorInitializer* initialiser, Effects& out) {
  statement(initialiser->getInit(), out);
  const clang::FieldDecl* field = initialiser->getAnyMember();
  if (field == nullptr) {
    return;
  }
  out_ = &out;
  const Sources sources = visit(initialiser->getInit());
  const bool reference = field->getType()->isReferenceType();
  share(field, reference ? withNamed(sources, initialiser->getInit())
                         : kept(sources, field->getType()));
}

/// What a constructor or method of a component keeps.
void EffectWalk::hold(const Summary& body, llvm::ArrayRef<const Expr*> arguments) {
  for (const auto& [parameter, fields] : body.kept_in) {
    for (const clang::FieldDecl* field : fields) {
      if (parameter < arguments.size()) {
        hold(field, arguments[parameter]);
      }
    }
  }
}

/// `Held held{weights, count};`
void EffectWalk::holdFields(const clang::InitListExpr* list) {
  const auto* record = list->getType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->isAggregate() || !isComponent(list->getType())) {
    return;
  }
  unsigned i = record->getNumBases();
  for (const clang::FieldDecl* field : record->fields()) {
    if (i < list->getNumInits()) {
      hold(field, list->getInit(i++));
    }
  }
}

/// Of several constructors any may be meant.
void EffectWalk::holdPassedOn(const clang::FunctionDecl* callee,
                              llvm::ArrayRef<const Expr*> arguments) {
  const clang::CXXRecordDecl* record = callee == nullptr ? nullptr : madeBy(callee);
  if (record == nullptr) {
    return;
  }
  for (const clang::CXXConstructorDecl* constructor : record->ctors()) {
    const Summary* body = constructor->isCopyOrMoveConstructor() ? nullptr
                                                                 : summaries_.of(constructor);
    if (body != nullptr && constructor->getNumParams() >= arguments.size()) {
      hold(*body, arguments);
    }
  }
}

/// A component that a function makes keeps what the function was given: `make(weights)`.
void EffectWalk::holdInside(const Effects& inner, unsigned parameter, const Expr* argument) {
  for (Hold hold : inner.holds) {
    const auto* kept = llvm::dyn_cast<clang::ParmVarDecl>(hold.variable);
    if (self_ != nullptr || kept == nullptr || kept->getFunctionScopeIndex() != parameter ||
        (hold.by_reference && !kept->getType()->isReferenceType() && !mayRefer(kept->getType()))) {
      continue;  // a copy of its own
    }
    const Sources given = visit(argument);
    for (const clang::ValueDecl* variable : hold.by_reference ? withNamed(given, argument) : given) {
      if (!isComponent(variable->getType()) && llvm::isa<clang::VarDecl>(variable)) {
        hold.variable = variable;
        out_->holds.push_back(hold);
      }
    }
  }
}

void EffectWalk::hold(const clang::FieldDecl* field, const Expr* argument) {
  const clang::QualType type = field->getType();
  const bool by_reference = type->isReferenceType() || mayRefer(type);
  if (self_ != nullptr || !(by_reference || sharesState(type))) {
    return;
  }
  const Sources given = visit(argument);
  const bool writes = !isReadOnlyView(type) && summaries_.writesBehind(field);
  for (const clang::ValueDecl* variable : by_reference ? withNamed(given, argument) : given) {
    if (const auto* other = llvm::dyn_cast<clang::FieldDecl>(variable)) {  // of a component
      out_->written_fields.insert(out_->written_fields.end(), writes ? 1 : 0, other);
    } else if (!isComponent(variable->getType()) && llvm::isa<clang::VarDecl>(variable)) {
      out_->holds.push_back({variable, by_reference, writes});
    }
  }
}

}  // namespace fdg::compiler
