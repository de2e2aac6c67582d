#include "compiler/graph/Summaries.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/References.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {

using clang::dyn_cast;
using How = Access::How;

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
  const auto* method = dyn_cast<clang::CXXMethodDecl>(function);
  EffectWalk walk(context_, *this, method);
  if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      walk.statement(initialiser->getInit(), summary.effects);
    }
  }
  walk.statement(function->getBody(), summary.effects);
  followReferences(summary.effects, walk.unclear());
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
  summary.updates_object = updated.count(method) > 0;
  summary.writes_behind_object = written.count(method) > 0;
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = function->getParamDecl(i);
    const bool by_reference = parameter->getType()->isLValueReferenceType();
    const bool in_place = written.count(parameter) > 0;
    if (by_reference && (updated.count(parameter) > 0 || in_place)) {
      summary.updates.insert(i);
    }
    if (in_place || (updated.count(parameter) > 0 && mayRefer(parameter->getType()))) {
      summary.in_place.insert(i);
    }
    if (returned.count(parameter) > 0) {
      summary.returns.insert(i);
    }
  }
  return summary;
}

}  // namespace fdg::compiler
