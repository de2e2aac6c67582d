// The half of EffectWalk that knows where things are: lvalues, declarations, references.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/read/Conduct.h"
#include "compiler/read/Modules.h"
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
  if (llvm::isa<clang::CXXThisExpr>(e)) {
    return {self_, nullptr, true, false};
  }
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(e)) {
    const clang::ValueDecl* variable = captured(reference->getDecl());
    const auto alias = references_.find(variable);
    if (alias != references_.end()) {
      return alias->second;
    }
    if (unclear_.count(variable) > 0) {
      return {variable, nullptr, false, true};
    }
    const bool local = llvm::isa<clang::VarDecl, clang::BindingDecl>(variable);
    return local ? Place{variable, nullptr, true, false} : Place{};
  }
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    const Place base = placeOf(member->getBase());
    const bool own = llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenCasts());
    if (member->isArrow() && !own) {
      return behind(base);
    }
    const auto* field = dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr) {
      return {};  // a static member
    }
    if (field->getType()->isReferenceType()) {
      return behind(base);
    }
    const bool whole = base.exact && base.field == nullptr && !field->getParent()->isUnion();
    return whole ? Place{base.variable, field, true, base.indirect} : inside(base);
  }
  if (const auto* subscript = dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const bool array = subscript->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
    const Place base = placeOf(subscript->getBase());
    return array ? inside(base) : behind(base);
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) {
    const Place base = placeOf(unary->getSubExpr());
    if (llvm::isa<clang::CXXThisExpr>(unary->getSubExpr()->IgnoreParenCasts())) {
      return base;
    }
    return unary->getOpcode() == clang::UO_Deref ? behind(base) : base;
  }
  if (const auto* member = dyn_cast<clang::BinaryOperator>(e);
      member != nullptr && member->isPtrMemOp()) {
    const Place base = placeOf(member->getLHS());
    return member->getOpcode() == clang::BO_PtrMemI ? behind(base) : inside(base);
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
  if (isStandardStream(call->getType()) && call->isLValue()) {
    return inside(placeOf(object));  // std::cout << "x"
  }
  const Conduct conduct = conductOf(callee);
  const bool unclear = conduct == Conduct::pure && mayRefer(call->getType());
  const bool accessor =
      conduct == Conduct::accessor || conduct == Conduct::in_place ||
      (conduct == Conduct::writes && callee->getReturnType()->isLValueReferenceType());
  if (!unclear && (accessor || (conduct == Conduct::pure && sharesState(call->getType())))) {
    // Of a shared_ptr the operators are those of a base.
    const TypeKind kind = kindOf(object->IgnoreParenImpCasts()->getType());
    const Place base = placeOf(object);
    return kind == TypeKind::tensor || kind == TypeKind::view ? behind(base) : inside(base);
  }
  return {};
}

/// Every local that is named in it as a place, not read for its value: what a place that is not one
/// variable may be (`c ? a : b`, `std::tie(a, b)`, `pick(a, b)`).
void EffectWalk::addNamed(const clang::Stmt* e, Sources& found) const {
  const auto* cast = dyn_cast<clang::ImplicitCastExpr>(e);
  if (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) {
    return;
  }
  if (const auto* member = dyn_cast<clang::MemberExpr>(e);
      member != nullptr && self_ != nullptr &&
      llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) &&
      llvm::isa<clang::FieldDecl>(member->getMemberDecl())) {
    found.push_back(member->getMemberDecl());
  }
  if (const auto* name = dyn_cast<clang::DeclRefExpr>(e)) {
    const clang::ValueDecl* variable = captured(name->getDecl());
    const auto alias = references_.find(variable);
    variable = alias == references_.end() ? variable : alias->second.variable;
    const auto* declared = dyn_cast<clang::VarDecl>(variable);
    const bool local = declared != nullptr ? !declared->hasGlobalStorage()
                                           : llvm::isa<clang::BindingDecl>(variable);
    if (local && !isRun(variable->getType())) {
      found.push_back(variable);
    }
    return;
  }
  for (const clang::Stmt* child : e->children()) {
    if (child != nullptr) {
      addNamed(child, found);
    }
  }
}

Sources EffectWalk::withNamed(Sources sources, const Expr* e) const {
  addNamed(e, sources);
  return sources;
}

/// What a value of that type can share of what it was made from.
Sources EffectWalk::kept(const Sources& sources, clang::QualType type) const {
  if (!sharesState(type)) {
    return {};
  }
  Sources some;
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(some),
               [&](const clang::ValueDecl* source) {
                 const bool handed = self_ == nullptr && llvm::isa<clang::FieldDecl>(source);
                 return mayRefer(type) || sharesState(source->getType()) ||
                        lent_.count(source) > 0 || handed;
               });
  return some;
}

/// What the value of an expression can share of what it was made from.
Sources EffectWalk::made(const Sources& sources, const Expr* e) const {
  return kept(mayRefer(e->getType()) ? withNamed(sources, e) : sources, e->getType());
}

void EffectWalk::share(const clang::ValueDecl* target, const Sources& sources) {
  for (const clang::ValueDecl* source : sources) {
    const auto* field = dyn_cast<clang::FieldDecl>(source);
    if (field != nullptr && self_ == nullptr) {
      out_->handed.emplace_back(target, field);
    } else if (source != target) {
      out_->shares.emplace_back(target, source);
    }
    if (self_ == nullptr && isComponent(source->getType()) && isNetwork(source->getType())) {
      out_->handed.emplace_back(target, source);
    }
  }
}

void EffectWalk::shareAt(const Place& place, const Sources& sources) {
  share(place.variable, sources);
  if (place.variable == self_ && self_ != nullptr && place.field != nullptr) {
    share(place.field, sources);
  }
}

void EffectWalk::bindUnclear(const clang::ValueDecl* variable, const Expr* target) {
  unclear_.insert(variable);
  share(variable, withNamed({}, target));
}

void EffectWalk::bindReference(const clang::ValueDecl* variable, const Expr* target) {
  const Expr* bound = target->IgnoreParens();
  if (const auto* cleanups = dyn_cast<clang::FullExpr>(bound)) {
    bound = cleanups->getSubExpr()->IgnoreParenImpCasts();
  }
  const Place place = placeOf(target);
  if (place.variable != nullptr) {
    references_[variable] = place;
  } else if (!llvm::isa<clang::MaterializeTemporaryExpr>(bound)) {  // that one it owns
    bindUnclear(variable, target);
  }
}

/// Goes to whoever follows, and its uses count; made from what one fragment has, it belongs to
/// that.
void EffectWalk::declareStatic(const clang::VarDecl& variable, Effects& out) {
  Effects made;
  statement(variable.getInit(), made);
  const bool depends = llvm::any_of(made.accesses, [&](const Access& access) {
    return access.variable->getDeclContext() == variable.getDeclContext() &&
           !llvm::isa<clang::ParmVarDecl>(access.variable);
  });
  if (!depends && made.touches.empty()) {
    out.guards_scope = true;
    return;
  }
  out.accesses.insert(out.accesses.end(), made.accesses.begin(), made.accesses.end());
  out.touches.insert(out.touches.end(), made.touches.begin(), made.touches.end());
  addInner(made);
  made_once_.insert(&variable);
  out.globals.emplace_back(&variable, variable.getLocation());
}

void EffectWalk::declare(const clang::VarDecl* variable) {
  const clang::SourceLocation place = variable->getLocation();
  if (variable->isStaticLocal()) {
    declareStatic(*variable, *out_);
    return;
  }
  const Expr* initialiser = variable->getInit();
  meetDestructors(variable->getType(),
                  {variable->getLocation(), variable->getNameAsString()});
  if (isRandomEngine(variable->getType())) {
    out_->random_places.push_back(place);
  }
  if (isScopeGuard(variable->getType())) {
    out_->guards_scope = true;
  }
  const auto* decomposition = dyn_cast<clang::DecompositionDecl>(variable);
  if (isComponent(variable->getType()) && !variable->getType()->isReferenceType() &&
      decomposition == nullptr) {
    visit(initialiser);
    out_->touches.push_back({variable, place, false, true});
    return;
  }
  if (const auto* lambda = initialiser != nullptr ? dyn_cast<clang::LambdaExpr>(
                                                        initialiser->IgnoreUnlessSpelledInSource())
                                                  : nullptr) {
    const size_t before = out_->impurities.size();
    const Sources captured_sources = visit(initialiser);
    out_->impurities.resize(before);  // what calls of it do
    lambdas_[variable] = lambda;
    access(variable, nullptr, How::assign, place);
    share(variable, captured_sources);
    return;
  }
  const Sources sources = visit(initialiser);
  if (variable->getType()->isReferenceType() && initialiser != nullptr) {
    bindReference(variable, initialiser);
  }
  if (decomposition != nullptr) {
    declareBindings(decomposition, sources);
    return;
  }
  access(variable, nullptr, How::assign, place);
  share(variable,
        variable->getType()->isReferenceType() ? sources : kept(sources, variable->getType()));
}

void EffectWalk::declareBindings(const clang::DecompositionDecl* decomposition,
                                 const Sources& sources) {
  const auto reference = references_.find(decomposition);
  out_->reads_position |=
      isNamed(decomposition->getType().getNonReferenceType()->getAsCXXRecordDecl(), "fdg::Rows");
  for (const clang::BindingDecl* binding : decomposition->bindings()) {
    if (binding->getType()->isReferenceType() || unclear_.count(decomposition) > 0) {
      bindUnclear(binding, decomposition->getInit());
    } else if (reference != references_.end()) {
      references_[binding] = inside(reference->second);
    }
    access(binding, nullptr, How::assign, binding->getLocation());
    share(binding, kept(sources, binding->getType()));
  }
}

void EffectWalk::declareLoopVariable(const clang::CXXForRangeStmt* loop) {
  const Expr* range = loop->getRangeInit();
  const Sources sources = visit(range);
  const clang::VarDecl* variable = loop->getLoopVariable();
  const clang::SourceLocation place = variable->getLocation();
  const Place elements = placeOf(range);
  if (variable->getType()->isReferenceType() && elements.variable != nullptr) {
    const TypeKind kind = kindOf(range->getType());
    references_[variable] = kind == TypeKind::view ? behind(elements) : inside(elements);
  } else if (variable->getType()->isReferenceType() && !withNamed({}, range).empty()) {
    bindUnclear(variable, range);
  }
  if (const auto* decomposition = dyn_cast<clang::DecompositionDecl>(variable)) {
    declareBindings(decomposition, sources);
    return;
  }
  access(variable, nullptr, How::assign, place);
  share(variable, kept(sources, variable->getType()));
}

}  // namespace fdg::compiler
