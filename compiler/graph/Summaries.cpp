#include "compiler/graph/Summaries.h"

#include <algorithm>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/References.h"
#include "compiler/read/FindEntry.h"
#include "compiler/read/Modules.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {

using clang::dyn_cast;
using How = Access::How;

namespace {

using Variables = std::set<const clang::ValueDecl*>;

/// All that the variables may share state with. Within a function aliases are followed without
/// regard to order.
Variables sharedWith(Variables from, const Effects& effects) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [target, source] : effects.shares) {
      grown |= from.count(target) > 0 && from.insert(source).second;
    }
  }
  return from;
}

void addFields(const Variables& variables, std::set<const clang::FieldDecl*>& fields) {
  for (const clang::ValueDecl* variable : variables) {
    if (const auto* field = dyn_cast<clang::FieldDecl>(variable)) {
      fields.insert(field);
    }
  }
}

void findKept(const clang::FunctionDecl* function, Summary& summary) {
  std::set<const clang::FieldDecl*> fields;
  for (const auto& [target, source] : summary.effects.shares) {
    addFields({target}, fields);
  }
  for (const clang::FieldDecl* field : fields) {
    const Variables held = sharedWith({field}, summary.effects);
    for (unsigned i = 0; i < function->getNumParams(); ++i) {
      if (held.count(function->getParamDecl(i)) > 0) {
        summary.kept_in[i].insert(field);
      }
    }
  }
}

/// Through references (`out = memory_;`) and what is called with it (`look(memory_);`).
void findGiven(const clang::FunctionDecl* function, Summary& summary) {
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = function->getParamDecl(i);
    if (isComponent(parameter->getType()) ||
        !(givesWriteAccess(parameter->getType()) || isFunctionObject(parameter->getType()))) {
      continue;
    }
    const Variables held = sharedWith({parameter}, summary.effects);
    std::set<const clang::FieldDecl*> fields;
    addFields(held, fields);
    for (const auto& [target, origin] : summary.effects.handed) {
      if (held.count(target) > 0) {
        addFields({origin}, fields);
      }
    }
    if (!fields.empty()) {
      summary.given_fields[i] = std::move(fields);
    }
  }
}

/// How much callers go by: it grows with what a body is found to do.
size_t extentOf(const Summary& summary) {
  const Effects& effects = summary.effects;
  size_t extent = summary.updates.size() + summary.in_place.size() + summary.returns.size() +
                  summary.written_fields.size() + summary.changed_fields.size() +
                  summary.returned_fields.size() +
                  effects.globals.size() + effects.impurities.size() + effects.outside.size() +
                  effects.exits.size() + effects.random_places.size() +
                  effects.settings.size() +
                  effects.unclear_writes.size();
  for (const bool does : {summary.updates_object, summary.writes_behind_object, effects.reads_rows,
                          effects.reads_position}) {
    extent += does ? 1 : 0;
  }
  for (const auto* fields : {&summary.kept_in, &summary.given_fields}) {
    for (const auto& [parameter, some] : *fields) {
      extent += some.size();
    }
  }
  return extent;
}

}  // namespace

const Summary* Summaries::of(const clang::FunctionDecl* function) {
  if (function == nullptr) {
    return nullptr;
  }
  const clang::FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition) || !isOwn(definition)) {
    return nullptr;
  }
  const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(definition);
  if (definition->isDefaulted() &&
      (constructor == nullptr || !constructor->isDefaultConstructor())) {
    return nullptr;
  }
  Known& known = known_[definition];
  if (known.stale) {
    solve(definition, known);
  } else {
    outermost_asked_ = std::min(outermost_asked_, known.depth > 0 ? known.depth : known.needs);
  }
  return &known.summary;
}

/// The outermost of those that lead back to themselves goes round after round, with what was found
/// in the last, until nothing new is found in any of them.
void Summaries::solve(const clang::FunctionDecl* definition, Known& known) {
  const int asked_before = outermost_asked_;
  const size_t settled = unsettled_.size();
  const int depth = ++depth_;
  known.depth = depth;
  known.stale = false;
  for (bool again = true; again;) {
    for (size_t i = settled; i < unsettled_.size(); ++i) {
      unsettled_[i]->stale = true;
    }
    unsettled_.resize(settled);
    outermost_asked_ = kNobody;
    const bool grown_before = std::exchange(grown_, false);
    const size_t before = extentOf(known.summary);
    known.summary = summarise(definition);
    grown_ |= extentOf(known.summary) > before;
    again = grown_ && outermost_asked_ == depth;
    grown_ |= grown_before;
  }
  known.depth = 0;
  --depth_;
  if (outermost_asked_ < depth) {
    known.needs = outermost_asked_;
    unsettled_.push_back(&known);
    outermost_asked_ = std::min(outermost_asked_, asked_before);
    return;
  }
  for (size_t i = settled; i < unsettled_.size(); ++i) {
    unsettled_[i]->needs = kNobody;
  }
  unsettled_.resize(settled);
  outermost_asked_ = asked_before;
}

/// In the files that the user wrote. Without the precompiled header FDG's own are parsed like them.
bool Summaries::isOwn(const clang::FunctionDecl* definition) const {
  const auto& sources = context_.getSourceManager();
  const clang::FunctionDecl* pattern = definition->getTemplateInstantiationPattern();
  const clang::FunctionDecl* written = pattern != nullptr ? pattern : definition;
  return isOfUser(*written, sources) &&
         (context_.getExternalSource() != nullptr ||
          sources.isInMainFile(sources.getExpansionLoc(written->getLocation())));
}

const std::vector<const clang::CXXMethodDecl*>& Summaries::methods() {
  if (!methods_) {
    methods_.emplace();
    for (const auto* function : functionsOfUser(context_)) {
      if (const auto* method = dyn_cast<clang::CXXMethodDecl>(function);
          method != nullptr && !method->isDependentContext()) {
        methods_->push_back(method);
      }
    }
  }
  return *methods_;
}

std::vector<const clang::CXXMethodDecl*> Summaries::calledBy(const clang::CXXMethodDecl* method) {
  std::vector<const clang::CXXMethodDecl*> called = {method};
  if (callsModule(method)) {
    const clang::CXXRecordDecl* module = moduleOf(method->getParent());
    llvm::copy_if(methods(), std::back_inserter(called), [&](const clang::CXXMethodDecl* other) {
      return other->getDeclName().isIdentifier() && other->getName() == "forward" &&
             (holdsAnyModule(module) || other->getParent()->getCanonicalDecl() == module ||
              other->getParent()->isDerivedFrom(module));
    });
  }
  if (method->isVirtual()) {
    const clang::CXXRecordDecl* base = method->getParent()->getCanonicalDecl();
    for (const clang::CXXMethodDecl* other : methods()) {
      if (other->isVirtual() && other->getDeclName() == method->getDeclName() &&
          other->getParent()->isDerivedFrom(base)) {
        called.push_back(other);
      }
    }
  }
  return called;
}

bool Summaries::anyMethod(const clang::FieldDecl* field,
                          llvm::function_ref<bool(const Summary&)> does) {
  const auto* record = dyn_cast<clang::CXXRecordDecl>(field->getParent());
  if (record == nullptr) {
    return false;
  }
  const auto fits = [&](const clang::CXXMethodDecl* method) {
    const Summary* summary = of(method);
    return summary != nullptr && does(*summary);
  };
  return llvm::any_of(record->methods(), fits) ||
         llvm::any_of(methods(), [&](const clang::CXXMethodDecl* method) {
           return method->getParent()->isDerivedFrom(record) && fits(method);
         });
}

/// Fields that may share memory: `rows_ = memory_.view({2, -1})`.
std::set<const clang::FieldDecl*> Summaries::aliasesOf(const clang::FieldDecl* field) {
  std::set<const clang::FieldDecl*> aliases = {field};
  for (bool grown = true; grown;) {
    grown = false;
    anyMethod(field, [&](const Summary& summary) {
      for (const auto& [target, source] : summary.effects.shares) {
        const auto* one = dyn_cast<clang::FieldDecl>(target);
        const auto* other = dyn_cast<clang::FieldDecl>(source);
        if (one != nullptr && other != nullptr &&
            (aliases.count(one) > 0) != (aliases.count(other) > 0)) {
          aliases.insert({one, other});
          grown = true;
        }
      }
      return false;
    });
  }
  return aliases;
}

bool Summaries::writes(const clang::FieldDecl* field) {
  const std::set<const clang::FieldDecl*> aliases = aliasesOf(field);
  return anyMethod(field, [&](const Summary& summary) {
    return llvm::any_of(aliases, [&](const clang::FieldDecl* alias) {
      return summary.written_fields.count(alias) > 0;
    });
  });
}

bool Summaries::changes(const clang::FieldDecl* field) {
  return writes(field) || anyMethod(field, [field](const Summary& summary) {
           return summary.changed_fields.count(field) > 0;
         });
}

bool Summaries::writesBehind(const clang::FieldDecl* field) {
  return writes(field) ||
         anyMethod(field, [](const Summary& summary) { return summary.writes_behind_object; });
}

Summary Summaries::summarise(const clang::FunctionDecl* function) {
  Summary summary;
  const auto* method = dyn_cast<clang::CXXMethodDecl>(function);
  method = method != nullptr && method->isStatic() ? nullptr : method;
  EffectWalk walk(context_, *this, method);
  walk.findLent(function->getBody());
  if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      walk.initialise(initialiser, summary.effects);
    }
  }
  walk.statement(function->getBody(), summary.effects);
  followReferences(summary.effects, walk.unclear());
  const Effects& effects = summary.effects;
  std::set<const clang::ValueDecl*> updated, written, returned;
  for (const Access& access : effects.accesses) {
    if (access.how == How::in_place) {
      written.insert(access.variable);
    } else if (access.how != How::read) {
      updated.insert(access.variable);
      if (access.field != nullptr && access.variable == method &&
          !sharesState(access.field->getType())) {
        summary.changed_fields.insert(access.field);
      }
    }
  }
  returned.insert(walk.returned().begin(), walk.returned().end());
  written = sharedWith(written, effects);
  returned = sharedWith(returned, effects);
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
  findGiven(function, summary);
  addFields(written, summary.written_fields);
  addFields(returned, summary.returned_fields);
  findKept(function, summary);
  return summary;
}

}  // namespace fdg::compiler
