// The part of EffectWalk that follows calls of local lambdas into their bodies.
#include <algorithm>
#include <utility>

#include "clang/AST/ExprCXX.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Conduct.h"
#include "compiler/read/Types.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {

using clang::dyn_cast;
using clang::Expr;
using How = Access::How;

Sources EffectWalk::callLambda(const clang::CXXOperatorCallExpr* e) {
  const Expr* callee = e->getArg(0)->IgnoreUnlessSpelledInSource();
  const auto* name = dyn_cast<clang::DeclRefExpr>(callee);
  const clang::ValueDecl* variable = name != nullptr ? captured(name->getDecl()) : nullptr;
  const clang::LambdaExpr* lambda = lambdaOf(callee);
  if (lambda == nullptr) {
    const std::vector<const Expr*> arguments(e->arg_begin() + 1, e->arg_end());
    return callUnknown(e->getDirectCallee(), e, e->getArg(0), arguments);
  }
  if (variable != nullptr) {
    access(variable, nullptr, How::read, e->getBeginLoc());
  }
  // Of a generic lambda, the body made for these arguments.
  const auto* method = llvm::cast<clang::CXXMethodDecl>(e->getDirectCallee());
  const size_t before_call = out_->accesses.size();
  bindParameters(method, e);
  if (!active_.insert(lambda).second) {
    return {};
  }
  const auto outer = copies_;
  for (const clang::LambdaCapture& capture : lambda->captures()) {
    if (variable != nullptr && capture.capturesVariable() &&
        capture.getCaptureKind() == clang::LCK_ByCopy) {
      copies_[capture.getCapturedVar()] = variable;
    }
  }
  const Sources before = std::exchange(returned_, {});
  const auto outside = std::exchange(seen_, {});
  lambdaBody(method->getBody());
  const Sources result = std::exchange(returned_, before);
  seen_ = outside;
  copies_ = outer;
  active_.erase(lambda);
  dropOwn(*method, before_call);
  return kept(result, e->getType());
}

/// Guards, types and usings in it act there.
void EffectWalk::lambdaBody(const clang::Stmt* body) {
  const bool guards = out_->guards_scope;
  statement(body, *out_);
  out_->guards_scope = guards || out_->sets_process;
}

/// What a lambda calls its own is made anew by every call; nothing goes from one to the next. A
/// write of storage behind it counts.
void EffectWalk::dropOwn(const clang::CXXMethodDecl& method, size_t first) {
  auto& accesses = out_->accesses;
  const auto own = [&](const Access& access) {
    return access.variable->getDeclContext() == &method && access.how != How::in_place &&
           !access.through;
  };
  accesses.erase(std::remove_if(accesses.begin() + static_cast<std::ptrdiff_t>(first),
                                accesses.end(), own),
                 accesses.end());
}

/// The parameters of a lambda stand for what it is given.
void EffectWalk::bindParameters(const clang::CXXMethodDecl* method,
                                const clang::CXXOperatorCallExpr* call) {
  for (unsigned i = 1; i < call->getNumArgs(); ++i) {
    const Sources given = visit(call->getArg(i));
    const auto* parameter = i - 1 < method->getNumParams() ? method->getParamDecl(i - 1) : nullptr;
    if (parameter == nullptr) {
      continue;
    }
    if (parameter->getType()->isReferenceType()) {
      bindReference(parameter, call->getArg(i));
    }
    access(parameter, nullptr, How::assign, call->getArg(i)->getBeginLoc());
    share(parameter,
          parameter->getType()->isReferenceType() ? given : kept(given, parameter->getType()));
  }
}

/// A function object that a function is given may keep what it is called with.
void EffectWalk::shareWithCalled(const clang::CXXOperatorCallExpr* e) {
  const auto* name = e->getOperator() == clang::OO_Call
                         ? dyn_cast<clang::DeclRefExpr>(e->getArg(0)->IgnoreUnlessSpelledInSource())
                         : nullptr;
  if (name == nullptr || !llvm::isa<clang::ParmVarDecl>(name->getDecl())) {
    return;
  }
  for (unsigned i = 1; i < e->getNumArgs(); ++i) {
    share(name->getDecl(), visit(e->getArg(i)));
  }
}

/// The function that this names, or call operators of the lambda that this is or names.
std::vector<const clang::FunctionDecl*> EffectWalk::bodiesOf(const Expr* e) const {
  e = e->IgnoreUnlessSpelledInSource();
  const auto* name = dyn_cast<clang::DeclRefExpr>(e);
  if (name != nullptr && llvm::isa<clang::FunctionDecl>(name->getDecl())) {
    return {llvm::cast<clang::FunctionDecl>(name->getDecl())};
  }
  const clang::LambdaExpr* lambda = lambdaOf(e);
  return lambda == nullptr ? std::vector<const clang::FunctionDecl*>{} : callOperators(lambda);
}

/// Of a generic lambda, all that are used.
std::vector<const clang::FunctionDecl*> EffectWalk::callOperators(const clang::LambdaExpr* lambda) {
  if (const clang::FunctionTemplateDecl* generic = lambda->getDependentCallOperator()) {
    const auto made = generic->specializations();
    return {made.begin(), made.end()};
  }
  return {lambda->getCallOperator()};
}

/// The lambda that a bare expression is or names; null: none.
const clang::LambdaExpr* EffectWalk::lambdaOf(const Expr* e) const {
  const auto* name = dyn_cast<clang::DeclRefExpr>(e);
  const auto known = lambdas_.find(name != nullptr ? captured(name->getDecl()) : nullptr);
  return known != lambdas_.end() ? known->second : dyn_cast<clang::LambdaExpr>(e);
}

/// The library calls a lambda with what it is given besides:
/// `std::for_each(ps.begin(), ps.end(), [&](const Tensor& p) { kept.push_back(p); })`.
void EffectWalk::passToLambdas(llvm::ArrayRef<const Expr*> arguments, const Sources& sources) {
  for (const Expr* argument : arguments) {
    for (const clang::FunctionDecl* body : bodiesOf(argument)) {
      for (const clang::ParmVarDecl* parameter : body->parameters()) {
        share(parameter, kept(sources, parameter->getType()));
      }
    }
  }
}

/// The lambdas among them return nothing of what they are given or refer to.
bool EffectWalk::makesAnew(llvm::ArrayRef<const Expr*> arguments) {
  bool some = false;
  for (const Expr* argument : arguments) {
    for (const clang::FunctionDecl* body : bodiesOf(argument)) {
      const Summary* summary = summaries_.of(body);
      some = true;
      if (summary == nullptr || !summary->returns.empty() || !kept(visit(argument),
                                                                   body->getReturnType()).empty()) {
        return false;
      }
    }
  }
  return some;
}

/// What an algorithm of the library puts behind its iterators may be what it was given.
void EffectWalk::passToOutputs(const clang::FunctionDecl* callee,
                               llvm::ArrayRef<const Expr*> arguments, const Sources& sources) {
  static const llvm::StringSet<> makers = {"transform", "generate", "generate_n"};
  if (makers.contains(algorithmName(callee)) && makesAnew(arguments)) {
    return;
  }
  for (const Expr* argument : arguments) {
    const auto* record = argument->getType()->getAsCXXRecordDecl();
    if (kindOf(argument->getType()) != TypeKind::view || (record != nullptr && record->isLambda())) {
      continue;
    }
    for (const clang::ValueDecl* written : visit(argument)) {
      share(written, kept(sources, written->getType()));
    }
  }
}

}  // namespace fdg::compiler
