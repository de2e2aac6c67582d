// The part of EffectWalk that says what is written: a variable, a part of it, what is behind it.
#include <set>

#include "clang/AST/ExprCXX.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;
using How = Access::How;

/// `w.mutable_grad()`
bool isGradient(const Expr* target) {
  const auto* call = dyn_cast<clang::CXXMemberCallExpr>(target->IgnoreUnlessSpelledInSource());
  return call != nullptr && call->getMethodDecl() != nullptr &&
         call->getMethodDecl()->getNameAsString() == "mutable_grad" && isTensor(call->getType());
}

/// Nobody sees it afterwards: `SGDOptions(0.1)`, and `SGDOptions(0.1).momentum(0.9)`, which gives
/// itself.
bool isTemporary(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  const auto* call = dyn_cast<clang::CXXMemberCallExpr>(e);
  return e->isPRValue() || (call != nullptr && isTemporary(call->getImplicitObjectArgument()));
}

}  // namespace

/// Each of the variables, or what it refers to, may be written: its elements if the target is a
/// single number, else as a whole.
void EffectWalk::writeEach(const Sources& variables, const Expr* target) {
  const clang::QualType type = target->getType();
  const bool elements = type->isArithmeticType() || type->isEnumeralType();
  for (const clang::ValueDecl* variable :
       std::set<const clang::ValueDecl*>(variables.begin(), variables.end())) {
    if (!isComponent(variable->getType()) && isSeen(variable)) {
      access(variable, nullptr, elements ? How::in_place : How::update, target->getBeginLoc());
      out_->accesses.back().through = true;
    }
  }
}

void EffectWalk::writeUnclear(const Expr* target) {
  const Sources written = withNamed(visit(target), target);
  writeEach(written, target);
  if (written.empty() && !isTemporary(target)) {
    out_->unclear_writes.push_back(target->getBeginLoc());
  }
}

void EffectWalk::write(const Expr* target, const Sources& sources) {
  const Place place = placeOf(target);
  const clang::SourceLocation where = target->getBeginLoc();
  if (isGradient(target)) {
    writeStorage(visit(target), where);  // which all handles of the tensor see
    return;
  }
  if (place.variable == nullptr) {
    writeUnclear(target);
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
    Sources views = visit(target);
    views.push_back(place.variable);
    writeEach(views, target);
    shareAt(place, kept(sources, target->getType()));
    return;
  }
  if (!place.exact) {
    visit(target);
  }
  access(place.variable, place.field, place.exact ? How::assign : How::update, where);
  shareAt(place, kept(sources, target->getType()));
}

/// A part of the object is written.
void EffectWalk::update(const Expr* object, const Sources& sources, clang::SourceLocation where) {
  const Place place = placeOf(object);
  if (place.variable == nullptr || place.indirect) {
    write(object, sources);
    return;
  }
  access(place.variable, place.field, How::update, where);
  shareAt(place, kept(sources, object->getType()));
}

/// A component's field stands for what it holds in the component's own methods only.
bool EffectWalk::isSeen(const clang::ValueDecl* variable) const {
  return self_ != nullptr || !llvm::isa<clang::FieldDecl>(variable);
}

void EffectWalk::writeStorage(const Sources& sources, clang::SourceLocation place) {
  std::set<const clang::ValueDecl*> done;
  for (const clang::ValueDecl* source : sources) {
    const bool component = isComponent(source->getType()) && llvm::isa<clang::VarDecl>(source);
    if (!done.insert(source).second || component) {
      continue;
    }
    if (isSeen(source)) {
      access(source, nullptr, How::in_place, place);
    } else {
      out_->written_fields.push_back(llvm::cast<clang::FieldDecl>(source));
    }
  }
}

/// Elements of a container get other values: the storage behind the old ones is not touched.
void EffectWalk::writeHandles(const Sources& sources, clang::SourceLocation place) {
  for (const clang::ValueDecl* source :
       std::set<const clang::ValueDecl*>(sources.begin(), sources.end())) {
    if (!isComponent(source->getType()) && isSeen(source)) {
      access(source, nullptr, How::update, place);
      out_->accesses.back().through = true;
    }
  }
}

}  // namespace fdg::compiler
