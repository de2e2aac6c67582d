// The part of EffectWalk that knows what a statement reaches without naming it: globals behind
// globals, functions whose address is taken, destructors, gradients.
#include <algorithm>
#include <functional>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Types.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using Destructors = std::vector<const clang::CXXDestructorDecl*>;

/// Without doubles, so that the rounds over a recursive function end.
template <class T>
void addNew(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& each : more) {
    if (std::find(all.begin(), all.end(), each) == all.end()) {
      all.push_back(each);
    }
  }
}

bool isMutable(const clang::VarDecl& variable) {
  return !variable.getType().isConstQualified() && !variable.isConstexpr();
}

/// Globals that an initialiser names.
class Named final : public clang::RecursiveASTVisitor<Named> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
    if (variable != nullptr && variable->hasGlobalStorage()) {
      found.push_back(variable);
    }
    return true;
  }
  std::vector<const clang::VarDecl*> found;
};

/// What runs when an object of that type dies, in it or in what it holds.
void addDestructors(clang::QualType type, std::set<const clang::CXXRecordDecl*>& seen,
                    Destructors& found) {
  const clang::Type* element = type.getCanonicalType()->getBaseElementTypeUnsafe();
  const clang::CXXRecordDecl* record = element->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || !seen.insert(record).second ||
      inNamespace(record, "at") || inNamespace(record, "c10") || inNamespace(record, "torch")) {
    return;
  }
  record = record->getDefinition();
  if (inNamespace(record, "std")) {
    allArguments(record, [&](clang::QualType inner) {
      addDestructors(inner, seen, found);
      return true;
    });
    return;
  }
  const clang::CXXDestructorDecl* destructor = record->getDestructor();
  if (destructor != nullptr && destructor->isUserProvided()) {
    found.push_back(destructor);
  }
  for (const clang::FieldDecl* field : record->fields()) {
    addDestructors(field->getType(), seen, found);
  }
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    addDestructors(base.getType(), seen, found);
  }
}

}  // namespace

/// A pointer or reference among globals may reach those that it was made from.
void EffectWalk::meetGlobal(const clang::VarDecl* variable, clang::SourceLocation place) {
  std::set<const clang::VarDecl*> seen;
  const std::function<void(const clang::VarDecl*)> meet = [&](const clang::VarDecl* global) {
    if (!seen.insert(global).second) {
      return;
    }
    if (isMutable(*global) || made_once_.count(global) > 0) {
      out_->globals.emplace_back(global, place);
    }
    if (global->getAnyInitializer() == nullptr ||
        !(global->getType()->isReferenceType() || mayRefer(global->getType()))) {
      return;
    }
    Named named;
    named.TraverseStmt(const_cast<clang::Expr*>(global->getAnyInitializer()));
    for (const clang::VarDecl* behind : named.found) {
      meet(behind);
    }
  };
  meet(variable);
}

/// Who has a function's address may call it.
void EffectWalk::meetFunction(const clang::FunctionDecl* function) {
  if (const Summary* summary = summaries_.of(function)) {
    Effects inner = summary->effects;
    inner.unclear_writes.clear();
    addInner(inner);
  }
}

/// What happens where an object dies counts where it is made: both are in its block.
void EffectWalk::meetDestructors(clang::QualType type, Death death) {
  if (type->isReferenceType()) {
    return;
  }
  Destructors destructors;
  std::set<const clang::CXXRecordDecl*> seen;
  addDestructors(type, seen, destructors);
  for (const clang::CXXDestructorDecl* destructor : destructors) {
    const Summary* summary = summaries_.of(destructor);
    if (summary == nullptr) {
      continue;
    }
    addInner(summary->effects);
    death.logs = llvm::any_of(summary->effects.impurities, [](const Impurity& impurity) {
      return impurity.kind == Impurity::Kind::log;
    });
    if (death.logs || llvm::any_of(summary->effects.accesses,
                                   [](const Access& access) { return access.through; })) {
      out_->deaths.push_back(death);
    }
  }
}

/// The temporaries between an expression and what it is without casts and the like.
void EffectWalk::meetTemporaries(const clang::Expr* e, const clang::Expr* bare) {
  for (; e != nullptr && e != bare;
       e = e->child_begin() == e->child_end() ? nullptr
                                              : llvm::dyn_cast<clang::Expr>(*e->child_begin())) {
    if (llvm::isa<clang::CXXBindTemporaryExpr>(e)) {
      const std::string type = e->getType().getUnqualifiedType().getAsString(
          context_.getPrintingPolicy());
      meetDestructors(e->getType(), {e->getBeginLoc(), type, /*temporary=*/true});
    }
  }
}

void EffectWalk::meetGradients(const clang::FunctionDecl* callee, const clang::Expr* call) {
  static const llvm::StringSet<> marks = {"requires_grad", "requires_grad_", "set_requires_grad",
                                          "register_parameter"};
  if (!inNamespace(callee, "torch") && !inNamespace(callee, "at") && !inNamespace(callee, "c10")) {
    return;
  }
  const std::string name = callee->getNameAsString();
  out_->wants_gradients |= marks.contains(name);
  if (name == "backward") {
    out_->backward.push_back(call->getBeginLoc());
    out_->impurities.push_back({Impurity::Kind::unknown, call->getBeginLoc(), name});
  }
}

/// What the body of a called function does besides to its arguments.
void EffectWalk::addInner(const Effects& inner) {
  addNew(out_->impurities, inner.impurities);
  addNew(out_->globals, inner.globals);
  addNew(out_->outside, inner.outside);
  addNew(out_->exits, inner.exits);
  out_->streams.insert(out_->streams.end(), inner.streams.begin(), inner.streams.end());
  addNew(out_->random_places, inner.random_places);
  addNew(out_->unclear_writes, inner.unclear_writes);
  addNew(out_->deaths, inner.deaths);
  addNew(out_->settings, inner.settings);
  addNew(out_->written_fields, inner.written_fields);
  out_->sets_process |= inner.sets_process;
  out_->guards_scope |= inner.sets_process;
  addNew(out_->backward, inner.backward);
  out_->wants_gradients |= inner.wants_gradients;
  out_->reads_rows |= inner.reads_rows;
  out_->reads_position |= inner.reads_position;
}

}  // namespace fdg::compiler
