#include "compiler/graph/InPlaceOptions.h"

#include <map>
#include <string>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Modules.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;

/// Calls of `inplace` or another option with anything but false, on one variable if it is given.
class Asks final : public clang::RecursiveASTVisitor<Asks> {
 public:
  explicit Asks(const clang::ValueDecl* variable = nullptr, llvm::StringRef option = "inplace")
      : variable_(variable), option_(option) {}
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (method == nullptr || method->getNameAsString() != option_ || call->getNumArgs() == 0) {
      return true;
    }
    const auto* value =
        dyn_cast<clang::CXXBoolLiteralExpr>(call->getArg(0)->IgnoreUnlessSpelledInSource());
    const auto* object = dyn_cast<clang::DeclRefExpr>(
        call->getImplicitObjectArgument()->IgnoreUnlessSpelledInSource());
    found |= (value == nullptr || value->getValue()) &&
             (variable_ == nullptr || (object != nullptr && object->getDecl() == variable_));
    return true;
  }
  /// `ReLUOptions(true)`: their only argument.
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) {
    const auto* value =
        e->getNumArgs() == 1
            ? dyn_cast<clang::CXXBoolLiteralExpr>(e->getArg(0)->IgnoreUnlessSpelledInSource())
            : nullptr;
    found |= variable_ == nullptr && value != nullptr && value->getValue() &&
             hasInplace(e->getConstructor()->getParent());
    return true;
  }
  static bool hasInplace(const clang::CXXRecordDecl* record) {
    return record != nullptr && record->hasDefinition() && inNamespace(record, "torch") &&
           llvm::any_of(record->getDefinition()->methods(), [](const auto* method) {
             return method->getIdentifier() != nullptr && method->getName() == "inplace";
           });
  }
  bool found = false;

 private:
  const clang::ValueDecl* variable_;
  llvm::StringRef option_;
};

/// `relu` of `relu->forward(x)`.
const Expr* holderOf(const Expr* object) {
  object = object->IgnoreUnlessSpelledInSource();
  const auto* arrow = dyn_cast<clang::CXXOperatorCallExpr>(object);
  const bool handed = arrow != nullptr && (arrow->getOperator() == clang::OO_Arrow ||
                                           arrow->getOperator() == clang::OO_Star);
  return handed ? arrow->getArg(0)->IgnoreUnlessSpelledInSource() : object;
}

/// A module that works in place if it is asked to, or that holds any.
bool mayAsk(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  record = record == nullptr ? nullptr : moduleOf(record);
  if (record == nullptr || !record->hasDefinition()) {
    return false;
  }
  return holdsAnyModule(record) ||
         llvm::any_of(record->getDefinition()->fields(), [](const clang::FieldDecl* field) {
           return Asks::hasInplace(field->getType()->getAsCXXRecordDecl());
         });
}

bool classAsks(const clang::FieldDecl* field) {
  const auto* record = dyn_cast<clang::CXXRecordDecl>(field->getParent());
  Asks asks;
  for (const clang::FieldDecl* each : record->fields()) {
    asks.TraverseStmt(each->getInClassInitializer());
  }
  for (const clang::CXXConstructorDecl* constructor : record->ctors()) {
    if (const clang::FunctionDecl* body = nullptr; constructor->hasBody(body)) {
      asks.TraverseDecl(const_cast<clang::FunctionDecl*>(body));
    }
  }
  return asks.found;
}

bool asks(const Expr* options, llvm::StringRef option = "inplace") {
  Asks here(nullptr, option);
  here.TraverseStmt(const_cast<Expr*>(options));
  const auto* name = dyn_cast<clang::DeclRefExpr>(options->IgnoreUnlessSpelledInSource());
  const auto* variable = name != nullptr ? dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (here.found || variable == nullptr) {
    return here.found;
  }
  here.TraverseStmt(const_cast<Expr*>(variable->getAnyInitializer()));
  const auto* function = dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
  Asks later(variable, option);
  if (function != nullptr) {
    later.TraverseStmt(function->getBody());
  }
  return here.found || later.found;
}

}  // namespace

bool worksInPlace(const clang::FunctionDecl* callee, const Expr* object,
                  llvm::ArrayRef<const Expr*> arguments) {
  if (callee == nullptr || arguments.empty() || !inNamespace(callee, "torch")) {
    return false;
  }
  if (object != nullptr) {
    const auto* method = dyn_cast<clang::CXXMethodDecl>(callee);
    if (method == nullptr || !callsModule(method) || !mayAsk(holderOf(object)->getType())) {
      return false;
    }
    const auto* member = dyn_cast<clang::MemberExpr>(holderOf(object));
    const auto* field =
        member == nullptr ? nullptr : dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return field != nullptr ? classAsks(field)
                            : llvm::isa<clang::DeclRefExpr>(holderOf(object)) &&
                                  asks(holderOf(object));
  }
  return qualifiedName(callee).starts_with("torch::nn::functional::") &&
         llvm::any_of(arguments.drop_front(), [](const Expr* argument) {
           const auto* record = argument->getType().getNonReferenceType()->getAsCXXRecordDecl();
           return Asks::hasInplace(record) && asks(argument);
         });
}

std::vector<unsigned> writtenBesides(const clang::FunctionDecl* callee,
                                     llvm::ArrayRef<const Expr*> arguments) {
  static const std::map<std::string, std::vector<unsigned>, std::less<>> known = {
      {"at::batch_norm", {3, 4}},
      {"at::native_batch_norm", {3, 4}},
      {"at::cudnn_batch_norm", {3, 4}},
      {"at::_native_batch_norm_legit", {3, 4}},
      {"at::_batch_norm_with_update", {3, 4}},
      {"at::instance_norm", {3, 4}},
      {"at::fused_moving_avg_obs_fake_quant", {3, 4, 5, 6}},
      {"at::batch_norm_update_stats", {1, 2}},
      {"at::rrelu_with_noise", {1}},
      {"torch::nn::functional::batch_norm", {1, 2}},
      {"torch::nn::functional::instance_norm", {1}},
      {"torch::nn::functional::embedding", {1}},
      {"torch::nn::functional::embedding_bag", {1}},
      {"torch::nn::utils::vector_to_parameters", {1}},
  };
  const auto found = callee == nullptr ? known.end() : known.find(qualifiedName(callee));
  if (found == known.end()) {
    return {};
  }
  std::vector<unsigned> written = found->second;
  std::erase_if(written, [&](unsigned i) { return i >= arguments.size(); });
  const bool asked =
      !llvm::StringRef(found->first).contains("embedding") ||
      llvm::any_of(arguments, [](const Expr* argument) { return asks(argument, "max_norm"); });
  return asked ? written : std::vector<unsigned>{};
}

}  // namespace fdg::compiler
