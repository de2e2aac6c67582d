// The part of EffectWalk that judges objects as they are made and components: what their methods do
// to arguments, to globals and to the memory that they hand out.
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/InPlaceOptions.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Conduct.h"
#include "compiler/read/Modules.h"
#include "compiler/read/Types.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;

/// The argument as it is written, a std::move around it removed.
const Expr* withoutMove(const Expr* argument) {
  const Expr* e = argument->IgnoreUnlessSpelledInSource();
  const auto* call = dyn_cast<clang::CallExpr>(e);
  if (call != nullptr && call->isCallToStdMove() && call->getNumArgs() == 1) {
    return call->getArg(0)->IgnoreUnlessSpelledInSource();
  }
  return e;
}

bool isLatest(const clang::CXXMethodDecl* method, unsigned i) {
  const clang::FunctionDecl* pattern = method->getTemplateInstantiationPattern();
  return mark(method->getParamDecl(i), "fdg::latest") ||
         (pattern != nullptr && i < pattern->getNumParams() &&
          mark(pattern->getParamDecl(i), "fdg::latest"));
}

/// As it is written: `net` and `net->` are of the class of net.
clang::QualType objectType(const Expr* object) {
  const clang::QualType type = object->IgnoreUnlessSpelledInSource()->getType();
  return type->isPointerType() ? type->getPointeeType() : type.getNonReferenceType();
}

/// May return what it is given, or a view of it.
bool passesThrough(const clang::CXXMethodDecl* method, const Expr* object) {
  const auto* record = objectType(object)->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr || !callsModule(method)) {
    return false;
  }
  llvm::StringRef name = record->getName();
  name.consume_back("Impl");
  return name == "Identity" || name == "Flatten" || name == "Unflatten" || name.contains("Dropout");
}

/// A module whose forward writes buffers of its own; of one that holds any modules some may.
bool keepsStatistics(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr || !inNamespace(record, "torch")) {
    return false;
  }
  return record->getName().contains("BatchNorm") || record->getName().contains("InstanceNorm") ||
         holdsAnyModule(moduleOf(record));
}

/// Only handed to the constructor of what a container or optional holds, which does not write it,
/// or to a module's forward, which says itself what it does.
bool isPassedOn(const clang::CXXMethodDecl* method, unsigned i) {
  if (callsModule(method)) {
    return !takesForWriting(method, i);
  }
  if (!inNamespace(method, "std") || takesForWriting(method, i)) {
    return false;
  }
  return allArguments(method->getParent(), [i](clang::QualType held) {
    const auto* record = held->getAsCXXRecordDecl();
    return record == nullptr || !record->hasDefinition() ||
           llvm::none_of(record->getDefinition()->ctors(), [i](const auto* constructor) {
             return i < constructor->getNumParams() && !constructor->isCopyOrMoveConstructor() &&
                    constructor->getParamDecl(i)->getType()->isLValueReferenceType() &&
                    givesWriteAccess(constructor->getParamDecl(i)->getType());
           });
  });
}

/// `step` of an optimiser writes the parameters that it was made with.
bool stepsOptimizer(const clang::CXXMethodDecl* method) {
  return method->getNameAsString() == "step" && inNamespace(method, "torch") &&
         qualifiedName(method->getParent()).starts_with("torch::optim::");
}

/// A network's parameters, or the way to them.
bool handsOutParameters(const clang::CXXMethodDecl* method) {
  static const llvm::StringSet<> names = {
      "parameters", "named_parameters", "buffers",    "named_buffers", "operator->", "operator*",
      "get",        "ptr",              "params",     "param_groups",  "operator[]", "find",
      "value",      "pairs",            "items",      "values",        "front",      "back",
      "begin",      "end",              "children",   "modules",       "named_children"};
  const clang::QualType type = method->getReturnType();
  return (inNamespace(method, "torch") || inNamespace(method, "std")) &&
         (names.contains(method->getNameAsString()) ||
          (type->isLValueReferenceType() && sharesState(type)));
}

bool givesParameters(const clang::CXXMethodDecl* method) {
  static const llvm::StringSet<> names = {"parameters", "named_parameters", "buffers",
                                          "named_buffers", "param_groups"};
  return inNamespace(method, "torch") && names.contains(method->getNameAsString());
}

/// `pointer->`, `*pointer`: what is done with that says whether it is changed.
bool handsOutObject(const clang::CXXMethodDecl* method) {
  static const llvm::StringSet<> names = {"operator->", "operator*", "get", "ptr", "value"};
  return (inNamespace(method, "torch") || inNamespace(method, "std")) &&
         names.contains(method->getNameAsString());
}

/// The fields that optimisers of a class are made with.
class Optimised final : public clang::RecursiveASTVisitor<Optimised> {
 public:
  explicit Optimised(const clang::CXXRecordDecl* record) {
    for (const clang::FieldDecl* field : record->fields()) {
      TraverseStmt(field->getInClassInitializer());
    }
    for (const clang::CXXMethodDecl* method : record->methods()) {
      if (const clang::FunctionDecl* body = nullptr; method->hasBody(body)) {
        TraverseDecl(const_cast<clang::FunctionDecl*>(body));
      }
    }
  }

  bool TraverseCXXConstructExpr(clang::CXXConstructExpr* e) { return enter(e); }
  bool TraverseCXXTemporaryObjectExpr(clang::CXXTemporaryObjectExpr* e) { return enter(e); }
  bool TraverseCallExpr(clang::CallExpr* e) { return enter(e); }  // make_unique<torch::optim::Adam>
  bool VisitMemberExpr(clang::MemberExpr* e) {
    const auto* field = dyn_cast<clang::FieldDecl>(e->getMemberDecl());
    if (inside_ > 0 && field != nullptr && sharesState(field->getType())) {
      found.push_back(field);
    }
    return true;
  }
  Sources found;

 private:
  template <class E>
  bool enter(E* e) {
    const int making = isOptimizer(e->getType()) ? 1 : 0;
    inside_ += making;
    for (const Expr* argument : e->arguments()) {
      TraverseStmt(const_cast<Expr*>(argument));
    }
    inside_ -= making;
    return true;
  }

  int inside_ = 0;
};

/// What the optimisers of a class write: its networks, and the tensors that they are made with.
Sources optimisedFields(const clang::CXXRecordDecl* record) {
  Sources fields = Optimised(record).found;
  for (const clang::FieldDecl* field : record->fields()) {
    if (isNetwork(field->getType()) || isOptimizer(field->getType())) {
      fields.push_back(field);
    }
  }
  return fields;
}

}  // namespace

Sources EffectWalk::visitConstruct(const clang::CXXConstructExpr* e) {
  const clang::CXXConstructorDecl* constructor = e->getConstructor();
  const std::vector<const Expr*> arguments(e->arg_begin(), e->arg_end());
  const TypeKind kind = kindOf(e->getType());
  meetOutside(constructor, e, arguments);
  if (drawsWeights(constructor)) {
    out_->random_places.push_back(e->getBeginLoc());
  }
  Sources sources;
  if (const Summary* summary = summaries_.of(constructor)) {
    Summary known = *summary;
    known.effects.reads_position &= kind != TypeKind::component;  // its rows are its own business
    for (Outside& use : known.effects.outside) {
      use.in_component |= kind == TypeKind::component;
    }
    if (kind == TypeKind::component) {
      setInComponent(known.effects);
      known.effects.settings.clear();
      known.effects.sets_process = false;
    }
    sources = callSummary(known, nullptr, arguments);
    if (kind == TypeKind::component) {
      hold(known, arguments);
    }
  } else if (kind == TypeKind::component || constructor->isImplicit() ||
             constructor->isDefaulted() || constructor->isConstexpr() || isValue(kind) ||
             kind == TypeKind::view || conductOf(constructor) != Conduct::unknown) {
    for (unsigned i = 0; i < arguments.size(); ++i) {
      const Sources given = visit(arguments[i]);
      const bool known = i < constructor->getNumParams();
      writeArgument(arguments[i],
                    known && kind == TypeKind::component ? constructor->getParamDecl(i) : nullptr,
                    given);
      append(sources, given);
    }
  } else {
    sources = callUnknown(constructor, e, nullptr, arguments);
  }
  if (kind == TypeKind::component) {
    for (const SharedState::Use& use : summaries_.sharedBy(constructor)) {
      out_->globals.emplace_back(use.variable, use.place);
    }
    return {};
  }
  return made(sources, e);
}

Sources EffectWalk::callComponent(const clang::CXXMethodDecl* method, const Expr* call,
                                  const Expr* object, llvm::ArrayRef<const Expr*> arguments) {
  const bool outer = constant_touch_;
  constant_touch_ = handsOutObject(method) ? outer : method->isConst();
  const Sources own = visit(object);
  constant_touch_ = outer;
  std::vector<const Summary*> bodies;
  for (const clang::CXXMethodDecl* called : summaries_.calledBy(method)) {
    if (const Summary* body = summaries_.of(called)) {
      bodies.push_back(body);
    }
    for (const SharedState::Use& use : summaries_.sharedBy(called)) {
      out_->globals.emplace_back(use.variable, use.place);
    }
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const bool known = i < method->getNumParams() && !isPassedOn(method, i);
    const Expr* outer_latest = latest_;
    latest_ = known && isLatest(method, i) ? withoutMove(arguments[i]) : nullptr;
    const Sources given = visit(arguments[i]);
    latest_ = outer_latest;
    writeArgument(arguments[i], known ? method->getParamDecl(i) : nullptr, given);
    for (const Summary* body : bodies) {
      if (body->in_place.count(i) > 0 || keepsToWrite(*body, i)) {
        writeStorage(given, arguments[i]->getBeginLoc());
      }
    }
  }
  for (const Summary* body : bodies) {
    hold(*body, arguments);
  }
  if (worksInPlace(method, object, arguments)) {
    writeStorage(visit(arguments.front()), call->getBeginLoc());
  }
  holdPassedOn(method, arguments);
  Sources handed = handsOutParameters(method) ? own : Sources{};
  if (self_ == nullptr && givesParameters(method)) {
    append(handed, withNamed({}, object));
  }
  if (callsModule(method)) {
    append(handed, passedThrough(bodies, passesThrough(method, object), arguments));
  }
  if (isNetwork(objectType(object))) {
    applyTo(own, arguments);
  }
  if (callsModule(method) && keepsStatistics(objectType(object))) {
    writeStorage(own, call->getBeginLoc());
  }
  if (stepsOptimizer(method) && self_ != nullptr) {
    writeStorage(optimisedFields(self_->getParent()), call->getBeginLoc());
  }
  for (const Summary* body : bodies) {
    if (out_->backward.empty()) {
      out_->backward = body->effects.backward;
    }
    setInComponent(body->effects);
    for (Outside use : body->effects.outside) {
      use.in_component = true;
      out_->outside.push_back(use);
    }
    if (!body->written_fields.empty()) {
      writeStorage(own, call->getBeginLoc());
    }
    append(handed, body->returned_fields.empty() ? Sources{} : own);
    handed.insert(handed.end(), body->returned_fields.begin(), body->returned_fields.end());
    giveParameters(*body, arguments);
  }
  return kept(handed, call->getType());  // else what components return is fresh
}

/// `void sample(Tensor& batch) { batch = memory_[0]; }`,
/// `void each(F f) { f(memory_); }`
void EffectWalk::giveParameters(const Summary& body, llvm::ArrayRef<const Expr*> arguments) {
  for (const auto& [parameter, fields] : body.given_fields) {
    if (parameter >= arguments.size()) {
      continue;
    }
    const Sources given(fields.begin(), fields.end());
    if (const Place place = placeOf(arguments[parameter]); place.variable != nullptr) {
      shareAt(place, given);
    }
    passToLambdas({arguments[parameter]}, given);
  }
}

/// What a module may return of what it is given: what its body returns, or anything.
Sources EffectWalk::passedThrough(llvm::ArrayRef<const Summary*> bodies, bool anything,
                                  llvm::ArrayRef<const Expr*> arguments) {
  Sources passed;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const bool returned = llvm::any_of(
        bodies, [i](const Summary* body) { return body->returns.count(i) > 0; });
    append(passed, returned || anything ? visit(arguments[i]) : Sources{});
  }
  return passed;
}

/// `net->apply([&](Module& m) { … })`: what the lambda refers to may get handles of the network's.
void EffectWalk::applyTo(const Sources& network, llvm::ArrayRef<const Expr*> arguments) {
  for (const Expr* argument : arguments) {
    if (llvm::isa<clang::LambdaExpr>(argument->IgnoreUnlessSpelledInSource())) {
      for (const clang::ValueDecl* reached : visit(argument)) {
        share(reached, network);
      }
    }
  }
}

/// The method stores a handle to its argument where the class writes in place.
bool EffectWalk::keepsToWrite(const Summary& body, unsigned parameter) const {
  const auto kept_in = body.kept_in.find(parameter);
  return self_ == nullptr && kept_in != body.kept_in.end() &&
         llvm::any_of(kept_in->second,
                      [&](const clang::FieldDecl* field) { return summaries_.writes(field); });
}

}  // namespace fdg::compiler
