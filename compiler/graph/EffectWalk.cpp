#include "compiler/graph/EffectWalk.h"

#include <algorithm>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Conduct.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;
using How = Access::How;

/// Parentheses, implicit conversions and other wrappers that have no effect of their own.
const Expr* bare(const Expr* e) {
  while (e != nullptr) {
    const Expr* inner = e->IgnoreParenImpCasts();
    if (const auto* cleanups = dyn_cast<clang::ExprWithCleanups>(inner)) {
      inner = cleanups->getSubExpr();
    } else if (const auto* temporary = dyn_cast<clang::MaterializeTemporaryExpr>(inner)) {
      inner = temporary->getSubExpr();
    } else if (const auto* bound = dyn_cast<clang::CXXBindTemporaryExpr>(inner)) {
      inner = bound->getSubExpr();
    } else if (const auto* constant = dyn_cast<clang::FullExpr>(inner)) {
      inner = constant->getSubExpr();
    }
    if (inner == e) {
      return e;
    }
    e = inner;
  }
  return e;
}

/// Its value is taken: what it is made of stays behind.
bool isLoaded(const Expr* e) {
  for (const auto* cast = dyn_cast<clang::ImplicitCastExpr>(e->IgnoreParens()); cast != nullptr;
       cast = dyn_cast<clang::ImplicitCastExpr>(cast->getSubExpr()->IgnoreParens())) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      return true;
    }
  }
  return false;
}

}  // namespace

void EffectWalk::access(const clang::ValueDecl* variable, const clang::FieldDecl* field, How how,
                        clang::SourceLocation place) {
  if (how == How::assign && conditional_ > 0) {
    how = How::update;
  }
  if (lent_.count(variable) > 0 && (how == How::assign || how == How::update)) {
    out_->accesses.push_back({variable, nullptr, How::in_place, place});
  }
  out_->accesses.push_back({variable, field, how, place});
}

void EffectWalk::touch(const clang::ValueDecl* object, clang::SourceLocation place, bool constant) {
  out_->touches.push_back({object, place, constant, false});
}

const clang::ValueDecl* EffectWalk::captured(const clang::ValueDecl* variable) const {
  const auto found = copies_.find(variable);
  return found == copies_.end() ? variable : found->second;
}

Sources EffectWalk::visit(const Expr* e) {
  if (e == nullptr) {
    return {};
  }
  if (const auto known = seen_.find(e); known != seen_.end()) {
    return known->second;
  }
  const Expr* stripped = bare(e);
  meetTemporaries(e, stripped);
  const Sources sources = visitBare(e, stripped);
  return seen_[e] = isLoaded(e) ? kept(sources, e->getType()) : sources;
}

Sources EffectWalk::visitBare(const Expr* e, const Expr* stripped) {
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(stripped)) {
    return visitVariable(reference);
  }
  if (const auto* member = dyn_cast<clang::MemberExpr>(stripped)) {
    return visitMember(member);
  }
  if (llvm::isa<clang::CXXThisExpr>(stripped) && self_ != nullptr) {
    access(self_, nullptr, How::read, e->getBeginLoc());
    return {self_};
  }
  if (const auto* call = dyn_cast<clang::CallExpr>(stripped)) {
    return visitCall(call);
  }
  if (const auto* construct = dyn_cast<clang::CXXConstructExpr>(stripped)) {
    return visitConstruct(construct);
  }
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(stripped)) {
    return visitOperator(binary);
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(stripped)) {
    return visitUnary(unary);
  }
  if (llvm::isa<clang::AbstractConditionalOperator>(stripped)) {
    return visitConditional(stripped);
  }
  if (llvm::isa<clang::InitListExpr, clang::CXXStdInitializerListExpr>(stripped)) {
    const Sources sources = visitChildren(stripped);
    if (const auto* list = dyn_cast<clang::InitListExpr>(stripped)) {
      holdFields(list);
    }
    return made(sources, e);
  }
  if (const auto* lambda = dyn_cast<clang::LambdaExpr>(stripped)) {
    return visitLambda(lambda);
  }
  if (const auto* thrown = dyn_cast<clang::CXXThrowExpr>(stripped)) {
    visit(thrown->getSubExpr());
    out_->impurities.push_back({Impurity::Kind::output, thrown->getBeginLoc(), "throw"});
    return {};
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXTypeidExpr, clang::CXXNoexceptExpr>(
          stripped)) {
    return {};  // not evaluated
  }
  if (const auto* argument = dyn_cast<clang::CXXDefaultArgExpr>(stripped)) {
    return visitDefault(argument->getExpr());
  }
  if (const auto* initialiser = dyn_cast<clang::CXXDefaultInitExpr>(stripped)) {
    return visitDefault(initialiser->getExpr());
  }
  return visitChildren(stripped);
}

/// A default argument or initialiser runs anew wherever it is used.
Sources EffectWalk::visitDefault(const Expr* e) {
  const auto outside = std::exchange(seen_, {});
  const Sources sources = visit(e);
  seen_ = outside;
  return sources;
}

Sources EffectWalk::visitChildren(const clang::Stmt* e) {
  Sources all;
  for (const clang::Stmt* child : e->children()) {
    if (const auto* expression = llvm::dyn_cast_or_null<Expr>(child)) {
      append(all, visit(expression));
    }
  }
  return all;
}

Sources EffectWalk::visitVariable(const clang::DeclRefExpr* e) {
  const clang::ValueDecl* value = captured(e->getDecl());
  if (const auto* function = dyn_cast<clang::FunctionDecl>(value)) {
    meetFunction(function);
    return {};
  }
  const auto* variable = dyn_cast<clang::VarDecl>(value);
  const auto* binding = dyn_cast<clang::BindingDecl>(value);
  if (variable == nullptr && binding == nullptr) {
    return {};
  }
  const clang::QualType type = value->getType();
  if (variable != nullptr && variable->hasGlobalStorage()) {
    if (isStandardStream(type)) {
      out_->impurities.push_back(
          {Impurity::Kind::output, e->getBeginLoc(), variable->getNameAsString()});
    } else {
      meetGlobal(variable, e->getBeginLoc());
    }
    return {};
  }
  if (isRun(type)) {
    return {};
  }
  const auto reference = references_.find(value);
  if (isComponent(type) && unclear_.count(value) == 0) {
    touch(reference == references_.end() ? value : reference->second.variable, e->getBeginLoc(),
          constant_touch_);
    if (reference != references_.end()) {
      access(value, nullptr, How::read, e->getBeginLoc());
    }
    return {};
  }
  Sources sources;
  access(value, nullptr, How::read, e->getBeginLoc());
  if (latest_ == e) {
    out_->accesses.back().latest = true;
  }
  if (reference != references_.end()) {
    if (isComponent(reference->second.variable->getType())) {
      touch(reference->second.variable, e->getBeginLoc(), constant_touch_);
    } else {
      access(reference->second.variable, reference->second.field, How::read, e->getBeginLoc());
    }
    sources.push_back(reference->second.variable);
  }
  if (const auto lambda = lambdas_.find(value); lambda != lambdas_.end()) {
    visitLambda(lambda->second);  // handed on: it may be called there
  }
  // An array decays to a pointer into it.
  if (sharesState(type) || type->isArrayType() || unclear_.count(value) > 0) {
    sources.push_back(value);
  }
  return sources;
}

Sources EffectWalk::visitMember(const clang::MemberExpr* e) {
  const auto* field = dyn_cast<clang::FieldDecl>(e->getMemberDecl());
  if (field != nullptr && isNamed(field->getParent(), "fdg::Rows") &&
      (field->getName() == "begin" || field->getName() == "end")) {
    out_->reads_position = true;
  }
  const auto* global = dyn_cast<clang::VarDecl>(e->getMemberDecl());
  if (global != nullptr) {
    meetGlobal(global, e->getBeginLoc());
  }
  const auto* base = e->isArrow() ? nullptr : dyn_cast<clang::DeclRefExpr>(bare(e->getBase()));
  const auto* variable = base != nullptr ? captured(base->getDecl()) : nullptr;
  const bool plain_local = variable != nullptr && field != nullptr &&
                           references_.count(variable) == 0 && unclear_.count(variable) == 0 &&
                           !isComponent(variable->getType()) &&
                           llvm::isa<clang::VarDecl, clang::BindingDecl>(variable) &&
                           !(llvm::isa<clang::VarDecl>(variable) &&
                             llvm::cast<clang::VarDecl>(variable)->hasGlobalStorage());
  if (!plain_local) {
    Sources sources = visit(e->getBase());
    if (self_ != nullptr && field != nullptr && llvm::isa<clang::CXXThisExpr>(bare(e->getBase()))) {
      sources.push_back(field);
    }
    const bool reaches = sharesState(e->getType()) || e->getType()->isArrayType();
    if (self_ == nullptr && field != nullptr && sharesState(e->getType())) {
      sources.push_back(field);
    }
    return field != nullptr && reaches ? sources : Sources{};
  }
  // Of a union each member is read through what was written to another.
  access(variable, field->getParent()->isUnion() ? nullptr : field, How::read, e->getBeginLoc());
  return sharesState(e->getType()) ? Sources{variable} : Sources{};
}

Sources EffectWalk::visitOperator(const clang::BinaryOperator* e) {
  if (e->isAssignmentOp()) {
    if (e->isCompoundAssignmentOp()) {
      visit(e->getLHS());
    }
    return assign(e->getLHS(), e->getRHS());
  }
  Sources left = visit(e->getLHS());
  conditional_ += e->isLogicalOp() ? 1 : 0;
  Sources right = visit(e->getRHS());
  conditional_ -= e->isLogicalOp() ? 1 : 0;
  if (!sharesState(e->getType())) {
    return {};
  }
  append(left, right);
  return left;
}

Sources EffectWalk::visitUnary(const clang::UnaryOperator* e) {
  if (e->isIncrementDecrementOp()) {
    visit(e->getSubExpr());
    write(e->getSubExpr(), {});
    return {};
  }
  Sources sources = visit(e->getSubExpr());
  if (e->getOpcode() == clang::UO_AddrOf) {
    const Place place = placeOf(e->getSubExpr());
    if (place.variable != nullptr) {
      sources.push_back(place.variable);
    }
  }
  return sources;
}

Sources EffectWalk::visitConditional(const Expr* e) {
  const auto* choice = llvm::cast<clang::AbstractConditionalOperator>(e);
  visit(choice->getCond());
  ++conditional_;
  Sources sources = visit(choice->getTrueExpr());
  append(sources, visit(choice->getFalseExpr()));
  --conditional_;
  return sources;
}

Sources EffectWalk::visitLambda(const clang::LambdaExpr* e) {
  if (!active_.insert(e).second) {
    return {};
  }
  Sources sources;
  for (const clang::LambdaCapture& capture : e->captures()) {
    if (!capture.capturesVariable()) {
      continue;
    }
    const clang::ValueDecl* variable = captured(capture.getCapturedVar());
    if (isRun(variable->getType())) {
      continue;
    }
    if (e->isInitCapture(&capture)) {
      declare(llvm::cast<clang::VarDecl>(variable));  // `[c = x]` reads x here
    }
    if (isComponent(variable->getType())) {
      touch(variable, e->getBeginLoc(), false);
    } else {
      access(variable, nullptr, How::read, e->getBeginLoc());
      sources.push_back(variable);
    }
  }
  // Where a lambda is made or handed on it may run: what it does counts there, but surely happens
  // nowhere.
  ++conditional_;
  const auto outside = std::exchange(seen_, {});
  for (const clang::FunctionDecl* body : callOperators(e)) {
    lambdaBody(body->getBody());
  }
  seen_ = outside;
  --conditional_;
  active_.erase(e);
  return sources;
}

void EffectWalk::statement(const clang::Stmt* stmt, Effects& out) {
  Effects* outer = out_;
  out_ = &out;
  if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(stmt)) {
    for (const clang::Decl* decl : declaration->decls()) {
      if (const auto* variable = dyn_cast<clang::VarDecl>(decl)) {
        declare(variable);
      } else {
        out_->guards_scope = true;  // a type or a using: goes to whatever follows it
      }
    }
  } else if (const auto* expression = llvm::dyn_cast_or_null<Expr>(stmt)) {
    visit(expression);
  } else if (const auto* result = llvm::dyn_cast_or_null<clang::ReturnStmt>(stmt)) {
    append(returned_, visit(result->getRetValue()));
  } else if (const auto* range = llvm::dyn_cast_or_null<clang::CXXForRangeStmt>(stmt)) {
    condition(range, out);
    ++conditional_;
    statement(range->getBody(), out);
    --conditional_;
  } else if (stmt != nullptr) {
    const bool may_skip = !llvm::isa<clang::CompoundStmt>(stmt);
    conditional_ += may_skip ? 1 : 0;
    for (const clang::Stmt* child : stmt->children()) {
      statement(child, out);
    }
    conditional_ -= may_skip ? 1 : 0;
  }
  out_ = outer;
}

void EffectWalk::condition(const clang::Stmt* control, Effects& out) {
  Effects* outer = out_;
  out_ = &out;
  if (const clang::VarDecl* variable = conditionVariable(control)) {
    declare(variable);
  }
  if (const auto* range = dyn_cast<clang::CXXForRangeStmt>(control)) {
    declareLoopVariable(range);
  } else if (const Expr* expression = conditionOf(control)) {
    visit(expression);
  }
  out_ = outer;
}

}  // namespace fdg::compiler
