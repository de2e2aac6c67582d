// The half of EffectWalk that knows where things are: lvalues, declarations, references, summaries.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;
using How = Access::How;

Place inside(Place outer) {
  outer.exact = false;
  return outer;
}

Place behind(Place pointer) {
  pointer.exact = false;
  pointer.indirect = true;
  return pointer;
}

}  // namespace

Place EffectWalk::placeOf(const Expr* e) const {
  if (e == nullptr) {
    return {};
  }
  e = e->IgnoreParenCasts();
  if (const auto* cleanups = dyn_cast<clang::FullExpr>(e)) {
    return placeOf(cleanups->getSubExpr());
  }
  if (const auto* temporary = dyn_cast<clang::MaterializeTemporaryExpr>(e)) {
    return placeOf(temporary->getSubExpr());
  }
  if (const auto* bound = dyn_cast<clang::CXXBindTemporaryExpr>(e)) {
    return placeOf(bound->getSubExpr());
  }
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) {
    const clang::ValueDecl* variable = captured(reference->getDecl());
    const auto alias = references_.find(variable);
    if (alias != references_.end()) {
      return alias->second;
    }
    const bool local = llvm::isa<clang::VarDecl, clang::BindingDecl>(variable);
    return local ? Place{variable, nullptr, true, false} : Place{};
  }
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    const Place base = placeOf(member->getBase());
    if (member->isArrow()) {
      return behind(base);
    }
    const auto* field = dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return base.exact && base.field == nullptr && field != nullptr
               ? Place{base.variable, field, true, base.indirect}
               : inside(base);
  }
  if (const auto* subscript = dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const bool array = subscript->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
    const Place base = placeOf(subscript->getBase());
    return array ? inside(base) : behind(base);
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) {
    const Place base = placeOf(unary->getSubExpr());
    return unary->getOpcode() == clang::UO_Deref ? behind(base) : base;
  }
  const auto* call = dyn_cast<clang::CallExpr>(e);
  if (call == nullptr) {
    return {};
  }
  const Expr* object = nullptr;
  if (const auto* member_call = dyn_cast<clang::CXXMemberCallExpr>(call)) {
    object = member_call->getImplicitObjectArgument();
  } else if (call->getNumArgs() > 0) {
    object = call->getArg(0);
  }
  const auto* callee = call->getDirectCallee();
  if (object == nullptr || callee == nullptr) {
    return {};
  }
  if (call->isCallToStdMove()) {
    return placeOf(object);
  }
  const Conduct conduct = conductOf(callee);
  const bool accessor =
      conduct == Conduct::accessor || conduct == Conduct::in_place ||
      (conduct == Conduct::writes && callee->getReturnType()->isLValueReferenceType());
  if (accessor || (conduct == Conduct::pure && sharesState(call->getType()))) {
    const TypeKind kind = kindOf(object->getType());
    const Place base = placeOf(object);
    return kind == TypeKind::tensor || kind == TypeKind::view ? behind(base) : inside(base);
  }
  return {};
}

/// A target that is no single place (`(c ? a : b) = 1`, `std::tie(a, b) = …`, `pick(a, b) += 1`):
/// every local that is named in it as a place, not read for its value, may be written.
void EffectWalk::updateNamed(const clang::Stmt* target, clang::SourceLocation where) {
  const auto* cast = dyn_cast<clang::ImplicitCastExpr>(target);
  if (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) {
    return;
  }
  if (const auto* name = dyn_cast<clang::DeclRefExpr>(target)) {
    const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl());
    const bool local = variable != nullptr && variable->isLocalVarDecl() &&
                       !variable->hasGlobalStorage() && !isComponent(variable->getType());
    if (local) {
      access(variable, nullptr, How::update, where);
    }
    return;
  }
  for (const clang::Stmt* child : target->children()) {
    if (child != nullptr) {
      updateNamed(child, where);
    }
  }
}

void EffectWalk::write(const Expr* target, const Sources& sources) {
  const Place place = placeOf(target);
  const clang::SourceLocation where = target->getBeginLoc();
  if (place.variable == nullptr) {
    writeStorage(visit(target), where);
    updateNamed(target, where);
    return;
  }
  if (isComponent(place.variable->getType())) {
    visit(target);
    return;
  }
  const auto* variable = dyn_cast<clang::VarDecl>(place.variable);
  if (variable != nullptr && variable->hasGlobalStorage()) {
    visit(target);
    return;
  }
  if (place.indirect) {
    writeStorage(visit(target), where);
    access(place.variable, place.field, How::in_place, where);
    return;
  }
  if (!place.exact) {
    visit(target);
  }
  access(place.variable, place.field, place.exact ? How::assign : How::update, where);
  share(place.variable, sources);
}

void EffectWalk::writeStorage(const Sources& sources, clang::SourceLocation place) {
  std::set<const clang::ValueDecl*> done;
  for (const clang::ValueDecl* source : sources) {
    if (done.insert(source).second) {
      access(source, nullptr, How::in_place, place);
    }
  }
}

bool EffectWalk::bindReference(const clang::VarDecl* variable, const Expr* target) {
  if (!variable->getType()->isReferenceType() || target == nullptr) {
    return false;
  }
  const Place place = placeOf(target);
  if (place.variable == nullptr) {
    return false;
  }
  references_[variable] = place;
  return true;
}

void EffectWalk::declare(const clang::VarDecl* variable) {
  const clang::SourceLocation place = variable->getLocation();
  if (variable->isStaticLocal()) {
    out_->guards_scope = true;  // goes to whoever follows; its uses count
    return;
  }
  const Expr* initialiser = variable->getInit();
  if (isRandomEngine(variable->getType())) {
    out_->random_places.push_back(place);
  }
  if (isScopeGuard(variable->getType())) {
    out_->guards_scope = true;
  }
  if (isComponent(variable->getType()) && !variable->getType()->isReferenceType()) {
    visit(initialiser);
    out_->touches.push_back({variable, place, false, true});
    return;
  }
  if (const auto* lambda = initialiser != nullptr ? dyn_cast<clang::LambdaExpr>(
                                                        initialiser->IgnoreUnlessSpelledInSource())
                                                  : nullptr) {
    const Sources captured_sources = visit(initialiser);
    lambdas_[variable] = lambda;
    access(variable, nullptr, How::assign, place);
    share(variable, captured_sources);
    return;
  }
  const Sources sources = visit(initialiser);
  const auto* decomposition = dyn_cast<clang::DecompositionDecl>(variable);
  bindReference(variable, initialiser);
  if (decomposition != nullptr) {
    declareBindings(decomposition, sources);
    return;
  }
  access(variable, nullptr, How::assign, place);
  if (sharesState(variable->getType()) || variable->getType()->isReferenceType()) {
    share(variable, sources);
  }
}

void EffectWalk::declareBindings(const clang::DecompositionDecl* decomposition,
                                 const Sources& sources) {
  const auto reference = references_.find(decomposition);
  for (const clang::BindingDecl* binding : decomposition->bindings()) {
    if (reference != references_.end()) {
      references_[binding] = inside(reference->second);
    }
    access(binding, nullptr, How::assign, binding->getLocation());
    if (sharesState(binding->getType())) {
      share(binding, sources);
    }
  }
}

void EffectWalk::declareLoopVariable(const clang::CXXForRangeStmt* loop) {
  const Expr* range = loop->getRangeInit();
  const Sources sources = visit(range);
  const clang::VarDecl* variable = loop->getLoopVariable();
  const clang::SourceLocation place = variable->getLocation();
  const Place elements = placeOf(range);
  if (variable->getType()->isReferenceType() && elements.variable != nullptr) {
    references_[variable] = inside(elements);
  }
  if (const auto* decomposition = dyn_cast<clang::DecompositionDecl>(variable)) {
    declareBindings(decomposition, sources);
    return;
  }
  access(variable, nullptr, How::assign, place);
  if (sharesState(variable->getType())) {
    share(variable, sources);
  }
}

const Summary* Summaries::of(const clang::FunctionDecl* function) {
  if (function == nullptr) {
    return nullptr;
  }
  const clang::FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition) || definition->isDefaulted()) {
    return nullptr;
  }
  const auto& sources = context_.getSourceManager();
  if (!sources.isInMainFile(sources.getExpansionLoc(definition->getLocation()))) {
    return nullptr;
  }
  const auto [entry, added] = known_.emplace(definition, nullptr);
  if (added) {
    auto summary = std::make_unique<Summary>(summarise(definition));
    known_[definition] = std::move(summary);
  }
  return known_[definition].get();  // null while it is being made: recursion
}

Summary Summaries::summarise(const clang::FunctionDecl* function) {
  Summary summary;
  EffectWalk walk(context_, *this);
  if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      walk.statement(initialiser->getInit(), summary.effects);
    }
  }
  walk.statement(function->getBody(), summary.effects);
  const Effects& effects = summary.effects;
  // Within the function aliases are followed without regard to order.
  const auto reaches = [&](std::set<const clang::ValueDecl*> from) {
    for (bool grown = true; grown;) {
      grown = false;
      for (const auto& [target, source] : effects.shares) {
        grown |= from.count(target) > 0 && from.insert(source).second;
      }
    }
    return from;
  };
  std::set<const clang::ValueDecl*> updated, written, returned;
  for (const Access& access : effects.accesses) {
    if (access.how == How::in_place) {
      written.insert(access.variable);
    } else if (access.how != How::read) {
      updated.insert(access.variable);
    }
  }
  returned.insert(walk.returned().begin(), walk.returned().end());
  written = reaches(written);
  returned = reaches(returned);
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = function->getParamDecl(i);
    const clang::QualType type = parameter->getType();
    if (updated.count(parameter) > 0 && type->isLValueReferenceType()) {
      summary.updates.insert(i);
    }
    if (written.count(parameter) > 0) {
      summary.in_place.insert(i);
    }
    if (returned.count(parameter) > 0) {
      summary.returns.insert(i);
    }
  }
  return summary;
}

}  // namespace fdg::compiler
