// The half of EffectWalk that judges calls.
#include <algorithm>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/InPlaceOptions.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Conduct.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;
using How = Access::How;

std::string nameOf(const clang::FunctionDecl* callee) { return callee->getNameAsString(); }

/// Through a pointer or an object of the library: which function that is nobody can tell.
bool isCalledByValue(const clang::FunctionDecl* callee) {
  return callee == nullptr ||
         (callee->getOverloadedOperator() == clang::OO_Call && inNamespace(callee, "std"));
}

/// The variable that a function value is called by, as far as it has a name.
std::string nameOfValue(const Expr* call) {
  const auto* operation = dyn_cast<clang::CXXOperatorCallExpr>(call);
  const Expr* called =
      operation != nullptr ? operation->getArg(0) : llvm::cast<clang::CallExpr>(call)->getCallee();
  const auto* name = dyn_cast<clang::DeclRefExpr>(called->IgnoreUnlessSpelledInSource());
  const auto* field = dyn_cast<clang::MemberExpr>(called->IgnoreUnlessSpelledInSource());
  return name != nullptr    ? name->getDecl()->getNameAsString()
         : field != nullptr ? field->getMemberDecl()->getNameAsString()
                            : "a function value";
}

/// Of a call through a pointer: what kind of function it points to.
const clang::FunctionProtoType* pointedFunction(const Expr* call) {
  const auto* e = dyn_cast<clang::CallExpr>(call);
  const Expr* callee = e != nullptr ? e->getCallee()->IgnoreParens() : nullptr;
  if (const auto* member = llvm::dyn_cast_or_null<clang::BinaryOperator>(callee)) {
    callee = member->getRHS();  // (object.*pointer)(…)
  }
  if (callee == nullptr) {
    return nullptr;
  }
  const clang::QualType type = callee->getType().getNonReferenceType();
  const auto* pointer = type->getAs<clang::MemberPointerType>();
  const clang::QualType pointee = pointer != nullptr      ? pointer->getPointeeType()
                                  : type->isPointerType() ? type->getPointeeType()
                                                          : type;
  return pointee->getAs<clang::FunctionProtoType>();
}

/// A pointer, or an iterator of the standard library whose elements may be assigned.
bool writesThrough(clang::QualType type) {
  if (type->isPointerType()) {
    return givesWriteAccess(type);
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr ||
      !(inNamespace(record, "__gnu_cxx") ||
        (inNamespace(record, "std") && record->getName().ends_with("iterator")))) {
    return false;
  }
  for (const clang::Decl* decl : record->decls()) {
    const auto* named = dyn_cast<clang::TypedefNameDecl>(decl);
    if (named != nullptr && named->getName() == "reference") {
      const clang::QualType reference = named->getUnderlyingType().getCanonicalType();
      return reference->isReferenceType() ? givesWriteAccess(reference)
                                          : reference->isRecordType();  // vector<bool>'s
    }
  }
  return true;
}

/// The element type of a pointer or iterator.
clang::QualType pointedAt(clang::QualType type) {
  const auto* list = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type->getAsCXXRecordDecl());
  if (list != nullptr && list->getName().ends_with("iterator") &&
      list->getTemplateArgs().size() > 0 &&
      list->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type) {
    return pointedAt(list->getTemplateArgs()[0].getAsType());  // reverse_iterator holds another
  }
  return type->isPointerType() ? type->getPointeeType() : type;
}

}  // namespace

Sources EffectWalk::visitCall(const clang::CallExpr* e) {
  if (const auto* operation = dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    const clang::FunctionDecl* callee = operation->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    shareWithCalled(operation);
    if (method != nullptr && method->getParent()->isLambda()) {
      return callLambda(operation);
    }
    if (isAssignment(operation)) {
      return assign(operation->getArg(0), operation->getArg(1));
    }
    std::vector<const Expr*> arguments(operation->arg_begin(), operation->arg_end());
    const Expr* object = nullptr;
    if (method != nullptr && !method->isStatic()) {
      object = isStandardAlgorithmObject(method) ? nullptr : arguments.front();
      arguments.erase(arguments.begin());
    }
    return callFunction(callee, e, object, arguments);
  }
  std::vector<const Expr*> arguments(e->arg_begin(), e->arg_end());
  if (const auto* member = dyn_cast<clang::CXXMemberCallExpr>(e)) {
    if (isRun(member->getImplicitObjectArgument()->getType())) {
      return callRun(member);
    }
    if (member->getMethodDecl() == nullptr) {
      visit(llvm::cast<clang::BinaryOperator>(member->getCallee()->IgnoreParens())->getRHS());
    }
    return callFunction(member->getMethodDecl(), e, member->getImplicitObjectArgument(), arguments);
  }
  if (e->getDirectCallee() == nullptr) {
    visit(e->getCallee());
  }
  return callFunction(e->getDirectCallee(), e, nullptr, arguments);
}

Sources EffectWalk::callFunction(const clang::FunctionDecl* callee, const Expr* call,
                                 const Expr* object, llvm::ArrayRef<const Expr*> arguments) {
  meetOutside(callee, call, arguments);
  if (setsProcess(callee, call)) {
    return {};
  }
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (method != nullptr && object != nullptr) {
    clang::QualType type = object->getType();
    type = type->isPointerType() ? type->getPointeeType() : type;
    if (isComponent(type)) {
      return callComponent(method, call, object, arguments);
    }
  }
  if (callee != nullptr && arguments.size() == 1 &&
      llvm::cast<clang::CallExpr>(call)->isCallToStdMove()) {
    const Sources sources = visit(arguments[0]);
    const Place place = placeOf(arguments[0]);
    if (place.variable != nullptr && place.exact && !isComponent(place.variable->getType())) {
      access(place.variable, place.field, How::move, call->getBeginLoc());
      out_->accesses.back().latest = latest_ == arguments[0]->IgnoreUnlessSpelledInSource();
    }
    return sources;
  }
  const Conduct conduct =
      worksInPlace(callee, nullptr, arguments) ? Conduct::in_place : conductOf(callee);
  if (conduct == Conduct::unknown) {
    if (const Summary* summary = summaries_.of(callee)) {
      return callSummary(*summary, object, arguments);
    }
    const bool reads_only = method != nullptr && method->isConst() && object != nullptr &&
                            isValue(kindOf(object->getType()));
    if (!reads_only) {
      return callUnknown(callee, call, object, arguments);
    }
  }
  if (conduct == Conduct::random) {
    out_->impurities.push_back({Impurity::Kind::random, call->getBeginLoc(), nameOf(callee)});
    out_->random_places.push_back(call->getBeginLoc());
  }
  // std::shuffle
  const bool writes = conduct == Conduct::writes ||
                      (conduct == Conduct::random && object == nullptr &&
                       inNamespace(callee, "std"));
  Sources sources = object != nullptr ? visit(object) : Sources{};
  if (conduct == Conduct::accessor && kindOf(call->getType()) == TypeKind::view) {
    const Place place = placeOf(object != nullptr || arguments.empty() ? object : arguments[0]);
    if (place.variable != nullptr) {
      sources.push_back(place.variable);  // an iterator or pointer into a container of plain values
    }
    if (place.field != nullptr && place.variable == self_) {
      sources.push_back(place.field);
    }
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Sources given = visit(arguments[i]);
    if (writes && object == nullptr) {
      writeArgument(arguments[i], nullptr, given);
      if (isStandardCaller(callee)) {
        writeBehind(arguments[i], given);
      }
    }
    append(sources, given);
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (writes && arguments[i]->isLValue() && !arguments[i]->getType()->isFunctionType() &&
        takesForWriting(callee, i)) {
      write(arguments[i], sources);
    }
  }
  for (const unsigned written : writtenBesides(callee, arguments)) {
    writeStorage(visit(arguments[written]), arguments[written]->getBeginLoc());
  }
  holdPassedOn(callee, arguments);
  passToLambdas(arguments, sources);
  if (writes && object == nullptr) {
    passToOutputs(callee, arguments, sources);
  }
  if (conduct == Conduct::in_place ||
      (conduct == Conduct::random && nameOf(callee).back() == '_')) {
    const Expr* target = object != nullptr   ? object
                         : arguments.empty() ? nullptr
                                             : arguments.front();
    if (target != nullptr) {
      writeStorage(visit(target), call->getBeginLoc());
    }
    const bool rebinds = nameOf(callee) == "set_" || nameOf(callee) == "set_data";
    if (const Place place = placeOf(target); place.variable != nullptr && rebinds) {
      shareAt(place, sources);
    }
  }
  if (conduct == Conduct::writes && object != nullptr) {
    const std::string name = nameOf(callee);
    if (name == "clear" || name == "reset" || name == "assign") {
      write(object, sources);
    } else {
      update(object, sources, call->getBeginLoc());
    }
  }
  if (conduct == Conduct::fresh) {
    return {};
  }
  return conduct == Conduct::accessor ? kept(sources, call->getType()) : made(sources, call);
}

Sources EffectWalk::callRun(const clang::CXXMemberCallExpr* e) {
  const auto* method = e->getMethodDecl();
  const std::string name = method != nullptr ? method->getNameAsString() : "";
  for (const Expr* argument : e->arguments()) {
    visit(argument);
  }
  if (name == "log" || name == "save") {
    out_->impurities.push_back({Impurity::Kind::log, e->getBeginLoc(), "run." + name});
  } else if (name == "rows") {
    out_->reads_rows = true;
  } else if (name == "stream") {
    const auto* literal =
        e->getNumArgs() > 0
            ? dyn_cast<clang::StringLiteral>(e->getArg(0)->IgnoreUnlessSpelledInSource())
            : nullptr;
    if (literal != nullptr) {
      out_->streams.emplace_back(literal->getString().str(), e->getBeginLoc());
    }
  } else if (name != "device" && name != "seed") {
    out_->impurities.push_back({Impurity::Kind::unknown, e->getBeginLoc(), "run." + name});
  }
  return {};
}

Sources EffectWalk::callSummary(const Summary& summary, const Expr* object,
                                llvm::ArrayRef<const Expr*> arguments) {
  Sources result;
  if (object != nullptr) {
    const Sources given = visit(object);
    if (summary.updates_object) {
      write(object, given);
    }
    if (summary.writes_behind_object) {
      writeStorage(given, object->getBeginLoc());
    }
    result = given;
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Sources given = visit(arguments[i]);
    if (summary.updates.count(i) > 0) {
      write(arguments[i], given);
    }
    if (summary.in_place.count(i) > 0) {
      writeStorage(given, arguments[i]->getBeginLoc());
    }
    if (summary.returns.count(i) > 0) {
      append(result, isComponent(arguments[i]->getType()) ? withNamed(given, arguments[i]) : given);
    }
    holdInside(summary.effects, i, arguments[i]);
  }
  result.insert(result.end(), summary.returned_fields.begin(), summary.returned_fields.end());
  giveParameters(summary, arguments);
  addInner(summary.effects);
  return result;
}

Sources EffectWalk::callUnknown(const clang::FunctionDecl* callee, const Expr* call,
                                const Expr* object, llvm::ArrayRef<const Expr*> arguments) {
  Sources sources = object != nullptr ? visit(object) : Sources{};
  Sources writable = sources;
  const auto* pointed = callee == nullptr ? pointedFunction(call) : nullptr;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Sources given = visit(arguments[i]);
    const bool known = callee != nullptr && i < callee->getNumParams();
    writeArgument(arguments[i], known ? callee->getParamDecl(i) : nullptr, given);
    if (pointed != nullptr && i < pointed->getNumParams() &&
        pointed->getParamType(i)->isLValueReferenceType() &&
        givesWriteAccess(pointed->getParamType(i))) {
      write(arguments[i], given);
    }
    append(sources, given);
    append(writable, isReadOnlyView(arguments[i]->getType()) ? Sources{} : given);
  }
  if (callee == nullptr || !actsOutside(callee)) {
    writeStorage(writable, call->getBeginLoc());
  }
  const Sources result = made(sources, call);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (method != nullptr && object != nullptr && !method->isConst()) {
    update(object, {}, call->getBeginLoc());
    if (kindOf(object->getType()) == TypeKind::constant) {
      return result;  // a fluent setter of a bag of settings
    }
  }
  const bool by_value = isCalledByValue(callee);
  out_->impurities.push_back({Impurity::Kind::unknown, call->getBeginLoc(),
                              by_value ? nameOfValue(call) : nameOf(callee), by_value});
  return result;
}

bool EffectWalk::isAssignment(const clang::CXXOperatorCallExpr* e) const {
  if (e->getOperator() != clang::OO_Equal || e->getNumArgs() != 2) {
    return false;
  }
  return !isComponent(e->getArg(0)->getType());
}

Sources EffectWalk::assign(const Expr* target, const Expr* value) {
  const Sources sources = visit(value);
  // `x[i] = y` on tensors assigns to a temporary handle, which writes the elements; `x = y` rebinds
  // x.
  if (isTensor(target->getType()) && !target->isLValue()) {
    const Sources behind = visit(target);
    writeStorage(behind, target->getBeginLoc());
    return behind;
  }
  const auto* tied = dyn_cast<clang::CallExpr>(target->IgnoreUnlessSpelledInSource());
  if (tied != nullptr && isNamed(tied->getDirectCallee(), "std::tie")) {
    for (const Expr* each : tied->arguments()) {
      write(each, sources);
    }
    return {};
  }
  if (assignsThrough(target->getType())) {
    writeUnclear(target);
  } else {
    write(target, sources);
  }
  return kept(sources, target->getType());
}

/// A pointer, span or reference_wrapper given by value; a function that is given may be called,
/// which a lambda's body has said already.
void EffectWalk::writeBehind(const Expr* argument, const Sources& sources) {
  const clang::QualType type = argument->getType();
  if (!mayRefer(type) || isReadOnlyView(type)) {
    return;
  }
  const bool function = isFunctionObject(type);
  Sources written;
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(written),
               [&](const clang::ValueDecl* source) {
                 return !function ||
                        isNamed(source->getType()->getAsCXXRecordDecl(), "std::function");
               });
  writeStorage(written, argument->getBeginLoc());
}

void EffectWalk::writeArgument(const Expr* argument, const clang::ParmVarDecl* parameter,
                               const Sources& sources) {
  const bool pointer_or_iterator = (parameter == nullptr || argument->getType()->isPointerType()) &&
                                   writesThrough(argument->getType());
  if (parameter == nullptr) {
    if (pointer_or_iterator && sharesState(pointedAt(argument->getType()))) {
      writeHandles(sources, argument->getBeginLoc());
    } else if (pointer_or_iterator) {
      writeStorage(sources, argument->getBeginLoc());
    }
    return;
  }
  if (!givesWriteAccess(parameter->getType())) {
    writeBehind(argument, sources);
    return;
  }
  if (!isRun(parameter->getType()) && parameter->getType()->isLValueReferenceType()) {
    write(argument, sources);
  }
  writeStorage(sources, argument->getBeginLoc());
}

}  // namespace fdg::compiler
