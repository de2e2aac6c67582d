#include "compiler/read/ReadAnnotations.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "compiler/read/Entities.h"
#include "compiler/read/ReadConfig.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::FunctionDecl;

/// All functions with bodies in the main file, templates included.
class Functions final : public clang::RecursiveASTVisitor<Functions> {
 public:
  explicit Functions(const clang::SourceManager& sources) : sources_(sources) {}
  bool VisitFunctionDecl(FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody() && !llvm::isa<clang::CXXMethodDecl>(function)) {
      found.push_back(function);
    }
    return true;
  }
  bool TraverseDecl(clang::Decl* decl) {
    const bool outside = decl != nullptr && !llvm::isa<clang::TranslationUnitDecl>(decl) &&
                         !sources_.isInMainFile(sources_.getExpansionLoc(decl->getLocation()));
    return outside || RecursiveASTVisitor::TraverseDecl(decl);
  }
  std::vector<const FunctionDecl*> found;

 private:
  const clang::SourceManager& sources_;
};

std::vector<const FunctionDecl*> functionsOfMainFile(clang::ASTContext& context) {
  Functions functions(context.getSourceManager());
  for (clang::Decl* decl : context.getTraversalScope()) {
    if (const auto* unit = dyn_cast<clang::TranslationUnitDecl>(decl)) {
      for (clang::Decl* inner :
           unit->noload_decls()) {  // what the precompiled header holds stays on disk
        functions.TraverseDecl(inner);
      }
    } else {
      functions.TraverseDecl(decl);
    }
  }
  return functions.found;
}

/// void(fdg::Run&, const C&) for a class C.
bool isTraining(const FunctionDecl* function) {
  if (!function->getReturnType()->isVoidType() || function->getNumParams() != 2) {
    return false;
  }
  const clang::QualType run = function->getParamDecl(0)->getType();
  const clang::QualType config = function->getParamDecl(1)->getType();
  return run->isLValueReferenceType() && isRun(run) &&
         !run.getNonReferenceType().isConstQualified() && config->isLValueReferenceType() &&
         config.getNonReferenceType().isConstQualified() &&
         config.getNonReferenceType()->getAsCXXRecordDecl() != nullptr;
}

class EntryFinder {
 public:
  EntryFinder(const ParsedProgram& parsed, Diagnostics& diagnostics)
      : parsed_(parsed),
        diagnostics_(diagnostics),
        functions_(functionsOfMainFile(parsed.context())) {}

  const FunctionDecl* find() {
    const auto& marks = parsed_.marks();
    if (parsed_.options().entry.empty() && marks.size() > 1) {
      diagnostics_.report(marks[1].location, Message::entry_twice)
          << marks[0].name << marks[1].name;
      diagnostics_.report(marks[0].location, Message::note_other_program);
      return nullptr;
    }
    const std::string name = parsed_.entryName();
    const auto start = parsed_.sources().getLocForStartOfFile(parsed_.sources().getMainFileID());
    const auto place = marks.empty() ? start : marks[0].location;
    return name.empty() ? unnamed(start) : named(name, place);
  }

 private:
  const FunctionDecl* unnamed(clang::SourceLocation start) {
    std::vector<const FunctionDecl*> fits;
    std::copy_if(functions_.begin(), functions_.end(), std::back_inserter(fits), isTraining);
    if (fits.empty()) {
      diagnostics_.report(start, Message::entry_missing);
      return nullptr;
    }
    if (fits.size() > 1) {
      diagnostics_.report(start, Message::entry_ambiguous) << fits[0] << fits[1];
      for (const FunctionDecl* fit : fits) {
        diagnostics_.report(fit->getLocation(), Message::note_candidate) << fit;
      }
      return nullptr;
    }
    return checked(fits[0]);
  }

  const FunctionDecl* named(const std::string& name, clang::SourceLocation place) {
    const FunctionDecl* found = nullptr;
    for (const FunctionDecl* function : functions_) {
      if (qualifiedName(function) == name || function->getNameAsString() == name) {
        found = found == nullptr || isTraining(function) ? function : found;
      }
    }
    if (found == nullptr) {
      diagnostics_.report(place, Message::entry_not_found) << name;
      return nullptr;
    }
    return checked(found);
  }

  const FunctionDecl* checked(const FunctionDecl* function) {
    if (function->getDescribedFunctionTemplate() != nullptr ||
        function->isTemplateInstantiation()) {
      diagnostics_.report(function->getLocation(), Message::entry_template) << function;
      return nullptr;
    }
    if (!isTraining(function)) {
      diagnostics_.report(function->getLocation(), Message::entry_signature) << function;
      return nullptr;
    }
    return function;
  }

  const ParsedProgram& parsed_;
  Diagnostics& diagnostics_;
  std::vector<const FunctionDecl*> functions_;
};

bool isPartition(const clang::CallExpr* call) {
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
      if (!readValue(call->getArg(i), annotation)) {
        return std::nullopt;
      }
    }
    return annotation;
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

  bool readValue(const clang::Expr* argument, Annotation& annotation) {
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
    if (const auto why = whyNot(value)) {
      diagnostics_.report(argument->getBeginLoc(), Message::cannot_cross)
          << value << *why << argument->getSourceRange();
      diagnostics_.report(value->getLocation(), Message::note_declared) << value;
      return false;
    }
    if (std::find(annotation.values.begin(), annotation.values.end(), value) !=
        annotation.values.end()) {
      diagnostics_.report(argument->getBeginLoc(), Message::annotation_value_twice) << value;
      return false;
    }
    annotation.values.push_back(value);
    annotation.references.push_back(reference);
    return true;
  }

  static std::optional<std::string> whyNot(const clang::ValueDecl* value) {
    const auto* binding = dyn_cast<clang::BindingDecl>(value);
    if (binding != nullptr && binding->getDecomposedDecl()->getType()->isLValueReferenceType()) {
      return "it is bound by reference; write `auto [" + value->getNameAsString() + ", …]`";
    }
    const auto* holding = binding != nullptr ? binding->getHoldingVar() : nullptr;
    if (holding != nullptr) {
      return whyCannotCross(value->getType().getNonReferenceType());
    }
    return whyCannotCross(value->getType());
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

std::optional<Program> readAnnotations(const ParsedProgram& parsed, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errors();
  const FunctionDecl* entry = EntryFinder(parsed, diagnostics).find();
  if (entry == nullptr) {
    return std::nullopt;
  }
  Program program;
  program.context = &parsed.context();
  program.entry = entry;
  program.run = entry->getParamDecl(0);
  program.config = entry->getParamDecl(1);
  program.config_type = program.config->getType().getNonReferenceType()->getAsCXXRecordDecl();
  program.config_fields = readConfig(*program.config_type);
  AnnotationFinder(program, diagnostics).TraverseStmt(entry->getBody());
  StrayAnnotations stray;
  for (const FunctionDecl* function : functionsOfMainFile(parsed.context())) {
    stray.visit(function);
  }
  stray.report(entry, diagnostics);
  if (diagnostics.errors() > errors_before) {
    return std::nullopt;
  }
  return program;
}

}  // namespace fdg::compiler
