#include "compiler/read/ReadAnnotations.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "compiler/read/CannotCross.h"
#include "compiler/read/CheckMacros.h"
#include "compiler/read/Entities.h"
#include "compiler/read/FindEntry.h"
#include "compiler/read/ReadConfig.h"
#include "compiler/read/Reductions.h"
#include "compiler/read/RowTypes.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::FunctionDecl;

bool isPartition(const clang::CallExpr* call) {
  if (const auto* names = dyn_cast<clang::UnresolvedLookupExpr>(call->getCallee())) {
    return llvm::any_of(names->decls(), [](const clang::NamedDecl* decl) {
      return isNamed(decl, "fdg::partition");  // in a template
    });
  }
  return isNamed(call->getDirectCallee(), "fdg::partition");
}

/// The call if the statement is `fdg::partition(…);` and nothing else.
const clang::CallExpr* partitionStatement(const clang::Stmt* stmt) {
  const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(stmt);
  const auto* call =
      expression != nullptr ? dyn_cast<clang::CallExpr>(expression->IgnoreImplicit()) : nullptr;
  return call != nullptr && isPartition(call) ? call : nullptr;
}

/// Finds the annotations of one function: as statements of its blocks, or where they must not be.
class AnnotationFinder final : public clang::RecursiveASTVisitor<AnnotationFinder> {
 public:
  AnnotationFinder(Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    ++nested_;
    RecursiveASTVisitor::TraverseLambdaExpr(lambda);
    --nested_;
    return true;
  }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl* record) {
    ++nested_;
    RecursiveASTVisitor::TraverseCXXRecordDecl(record);
    --nested_;
    return true;
  }
  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    for (const clang::Stmt* stmt : block->body()) {
      statement(stmt);
    }
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* stmt) {
    statement(stmt->getThen());
    statement(stmt->getElse());
    return true;
  }
  bool VisitForStmt(clang::ForStmt* stmt) { return statement(stmt->getBody()); }
  bool VisitWhileStmt(clang::WhileStmt* stmt) { return statement(stmt->getBody()); }
  bool VisitDoStmt(clang::DoStmt* stmt) { return statement(stmt->getBody()); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* stmt) { return statement(stmt->getBody()); }
  bool VisitSwitchCase(clang::SwitchCase* stmt) { return statement(stmt->getSubStmt()); }
  bool VisitCallExpr(clang::CallExpr* call) {
    if (isPartition(call) && calls_.count(call) == 0) {
      diagnostics_.report(call->getBeginLoc(), Message::annotation_not_statement);
    }
    return true;
  }

 private:
  bool statement(const clang::Stmt* stmt) {
    const clang::CallExpr* call = partitionStatement(stmt);
    if (call == nullptr) {
      return true;
    }
    calls_.insert(call);
    if (nested_ > 0) {
      diagnostics_.report(call->getBeginLoc(), Message::annotation_nested);
      return true;
    }
    if (auto annotation = read(call)) {
      program_.annotations.emplace(stmt, std::move(*annotation));
    }
    return true;
  }

  std::optional<Annotation> read(const clang::CallExpr* call) {
    Annotation annotation;
    annotation.call = call;
    if (call->getNumArgs() == 0 || !readOperation(call->getArg(0), annotation)) {
      return std::nullopt;
    }
    if (call->getNumArgs() == 1) {
      diagnostics_.report(call->getBeginLoc(), Message::annotation_without_values);
      return std::nullopt;
    }
    for (unsigned i = 1; i < call->getNumArgs(); ++i) {
      if (!readValue(call->getArg(i), call->getArg(i - 1)->getEndLoc(), annotation)) {
        return std::nullopt;
      }
    }
    return checkRows(annotation) ? std::optional(std::move(annotation)) : std::nullopt;
  }

  bool readOperation(const clang::Expr* argument, Annotation& annotation) {
    const clang::Expr* expression = argument->IgnoreUnlessSpelledInSource();
    while (const auto* call = dyn_cast<clang::CXXMemberCallExpr>(expression)) {
      const auto* method = call->getMethodDecl();
      if (method == nullptr || method->getNameAsString() != "loose") {
        break;
      }
      annotation.loose = true;
      expression = call->getImplicitObjectArgument()->IgnoreUnlessSpelledInSource();
    }
    const auto* reference = dyn_cast<clang::DeclRefExpr>(expression);
    const auto* variable =
        reference != nullptr ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    const auto kind =
        variable != nullptr && inNamespace(variable, "fdg") && variable->hasGlobalStorage()
            ? operationFromName(variable->getNameAsString())
            : std::nullopt;
    if (!kind) {
      diagnostics_.report(argument->getBeginLoc(), Message::operation_unknown)
          << program_.text(argument) << argument->getSourceRange();
      return false;
    }
    annotation.operation = *kind;
    return true;
  }

  bool readValue(const clang::Expr* argument, clang::SourceLocation before,
                 Annotation& annotation) {
    const auto* reference = dyn_cast<clang::DeclRefExpr>(argument->IgnoreParenImpCasts());
    const clang::ValueDecl* value = reference != nullptr ? reference->getDecl() : nullptr;
    const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(value);
    const bool local =
        llvm::isa_and_nonnull<clang::BindingDecl>(value) ||
        (variable != nullptr && variable->isLocalVarDecl() && !variable->isStaticLocal());
    if (!local) {
      diagnostics_.report(argument->getBeginLoc(), Message::annotation_not_local)
          << program_.text(argument) << argument->getSourceRange();
      return false;
    }
    if (const auto why = whyCannotCross(value)) {
      diagnostics_.report(argument->getBeginLoc(), why->message)
          << value << why->where << why->what << argument->getSourceRange()
          << withoutReference(value, *why);
      diagnostics_.report(value->getLocation(), Message::note_declared) << value;
      return false;
    }
    if (std::find(annotation.values.begin(), annotation.values.end(), value) !=
        annotation.values.end()) {
      diagnostics_.report(argument->getBeginLoc(), Message::annotation_value_twice)
          << value
          << clang::FixItHint::CreateRemoval(clang::CharSourceRange::getTokenRange(
                 clang::Lexer::getLocForEndOfToken(before, 0, program_.sources(),
                                                   program_.context->getLangOpts()),
                 argument->getEndLoc()));
      return false;
    }
    if (const auto why = whyCannotReduce(annotation.operation, value->getType())) {
      diagnostics_.report(argument->getBeginLoc(), why->message)
          << value << operationName(annotation.operation) << why->where << why->what
          << argument->getSourceRange();
      diagnostics_.report(value->getLocation(), Message::note_declared) << value;
      return false;
    }
    annotation.values.push_back(value);
    annotation.references.push_back(reference);
    return true;
  }

  /// Whether there are any; a list of tensors is worth a warning.
  bool checkRows(const Annotation& annotation) {
    const OperationKind operation = annotation.operation;
    const auto type = [](const clang::ValueDecl* value) {
      return value->getType().getNonReferenceType();
    };
    if (needsRows(operation, annotation.loose) &&
        llvm::none_of(annotation.values, [&](const auto* v) { return holdsRows(type(v)); })) {
      diagnostics_.report(annotation.references.front()->getBeginLoc(), Message::rows_missing)
          << annotation.values.front() << operationName(operation)
          << shownType(type(annotation.values.front()))
          << annotation.references.front()->getSourceRange();
      return false;
    }
    const bool joins =
        needsRows(operation, /*loose=*/false) || operation == OperationKind::all_gather;
    for (const clang::DeclRefExpr* reference : annotation.references) {
      const auto list = joins ? listOfTensorsIn(type(reference->getDecl())) : std::nullopt;
      if (list) {
        diagnostics_.report(reference->getBeginLoc(), Message::rows_of_list)
            << reference->getDecl() << operationName(operation) << list->where << list->what
            << reference->getSourceRange();
      }
    }
    return true;
  }

  /// `auto& x = …` → `auto x = …`; of bindings likewise.
  static clang::FixItHint withoutReference(const clang::ValueDecl* value, const CannotCross& why) {
    const auto* binding = dyn_cast<clang::BindingDecl>(value);
    const auto* variable = binding == nullptr
                               ? dyn_cast<clang::VarDecl>(value)
                               : llvm::cast<clang::VarDecl>(binding->getDecomposedDecl());
    const bool whole = why.where.empty() && (why.message == Message::cross_reference ||
                                             why.message == Message::cross_binding);
    if (!whole || variable == nullptr || variable->getTypeSourceInfo() == nullptr) {
      return {};
    }
    const auto reference =
        variable->getTypeSourceInfo()->getTypeLoc().getAs<clang::LValueReferenceTypeLoc>();
    return reference.isNull() ? clang::FixItHint()
                              : clang::FixItHint::CreateRemoval(reference.getAmpLoc());
  }

  Program& program_;
  Diagnostics& diagnostics_;
  std::set<const clang::CallExpr*> calls_;
  int nested_ = 0;
};

/// Annotations outside of the training function do nothing: say so. Another program of the file has
/// its own.
class StrayAnnotations final : public clang::RecursiveASTVisitor<StrayAnnotations> {
 public:
  bool VisitCallExpr(clang::CallExpr* call) {
    if (isPartition(call)) {
      annotations_.emplace_back(function_, call->getBeginLoc());
    }
    if (const FunctionDecl* callee = call->getDirectCallee()) {
      called_.insert(callee->getCanonicalDecl());
    }
    return true;
  }
  void visit(const FunctionDecl* function) {
    function_ = function;
    TraverseStmt(function->getBody());
  }
  void report(const FunctionDecl* entry, Diagnostics& diagnostics) const {
    for (const auto& [function, place] : annotations_) {
      const bool other_program =
          isTraining(function) && !called_.contains(function->getCanonicalDecl());
      if (function != entry && !other_program) {
        diagnostics.report(place, Message::annotation_nested);
      }
    }
  }

 private:
  const FunctionDecl* function_ = nullptr;
  std::vector<std::pair<const FunctionDecl*, clang::SourceLocation>> annotations_;
  std::set<const FunctionDecl*> called_;
};

}  // namespace

int Program::line(clang::SourceLocation place) const {
  return static_cast<int>(sources().getExpansionLineNumber(place));
}

std::string Program::text(const clang::Stmt* stmt, size_t limit) const {
  const auto range = sources().getExpansionRange(stmt->getSourceRange());
  const llvm::StringRef source =
      clang::Lexer::getSourceText(range, sources(), context->getLangOpts());
  std::string line;
  for (const char c : source) {
    if (!isspace(static_cast<unsigned char>(c))) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (line.size() > limit) {
    size_t end = limit;
    while (end > 0 && (line[end] & 0xC0) == 0x80) {  // never cut a character of several bytes
      --end;
    }
    line = line.substr(0, end) + "…";
  }
  return line;
}

bool Program::isOneMacro(const clang::Stmt* stmt) const {
  const auto begin = stmt->getBeginLoc();
  const auto end = stmt->getEndLoc();
  return begin.isMacroID() && end.isMacroID() &&
         sources().getExpansionLoc(begin) == sources().getExpansionLoc(end);
}

std::optional<Program> readAnnotations(const ParsedProgram& parsed, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errors();
  const FunctionDecl* entry = findEntry(parsed, diagnostics);
  if (entry == nullptr) {
    return std::nullopt;
  }
  Program program;
  program.context = &parsed.context();
  program.entry = entry;
  program.run = entry->getParamDecl(0);
  program.config = entry->getParamDecl(1);
  program.config_type = program.config->getType().getNonReferenceType()->getAsCXXRecordDecl();
  program.config_fields =
      readConfig(*program.config_type, parsed.compiler().getSema(), diagnostics);
  AnnotationFinder(program, diagnostics).TraverseStmt(entry->getBody());
  StrayAnnotations stray;
  for (const FunctionDecl* function : functionsOfUser(parsed.context())) {
    if (function->getParentFunctionOrMethod() == nullptr) {  // else seen with its function
      stray.visit(function);
    }
  }
  stray.report(entry, diagnostics);
  checkMacros(parsed, *entry, diagnostics);
  if (diagnostics.errors() > errors_before) {
    return std::nullopt;
  }
  return program;
}

}  // namespace fdg::compiler
