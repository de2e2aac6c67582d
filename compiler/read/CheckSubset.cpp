#include "compiler/read/CheckSubset.h"

#include <functional>
#include <set>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;

/// The local component that an expression names as a whole; null: none.
const clang::ValueDecl* namedComponent(const clang::Expr* e) {
  e = e->IgnoreUnlessSpelledInSource();
  if (const auto* call = dyn_cast<clang::CallExpr>(e); call != nullptr && call->isCallToStdMove()) {
    e = call->getArg(0)->IgnoreUnlessSpelledInSource();
  }
  const auto* reference = dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable =
      reference != nullptr ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable != nullptr && isComponent(variable->getType()) &&
                 !isStream(variable->getType()) && !isRun(variable->getType())
             ? variable
             : nullptr;
}

/// A function object through which one can reach variables of the function; of a std::function
/// nobody knows.
bool mayReferOutside(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->isLambda()) {
    return record != nullptr && inNamespace(record, "std");
  }
  return llvm::any_of(record->captures(), [](const clang::LambdaCapture& capture) {
    return capture.capturesThis() || capture.getCaptureKind() == clang::LCK_ByRef ||
           (capture.capturesVariable() && mayRefer(capture.getCapturedVar()->getType()));
  });
}

bool isOfStandardLibrary(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && inNamespace(record, "std");
}

class Subset final : public clang::RecursiveASTVisitor<Subset> {
 public:
  Subset(const Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  bool VisitLabelStmt(clang::LabelStmt* stmt) { return refuse(stmt, Message::refused_goto); }
  bool VisitGotoStmt(clang::GotoStmt* stmt) { return refuse(stmt, Message::refused_goto); }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* stmt) {
    return refuse(stmt, Message::refused_goto);
  }
  bool VisitAsmStmt(clang::AsmStmt* stmt) { return refuse(stmt, Message::refused_asm); }
  bool VisitCoawaitExpr(clang::CoawaitExpr* e) { return refuse(e, Message::refused_coroutine); }
  bool VisitCoyieldExpr(clang::CoyieldExpr* e) { return refuse(e, Message::refused_coroutine); }
  bool VisitCoreturnStmt(clang::CoreturnStmt* stmt) {
    return refuse(stmt, Message::refused_coroutine);
  }
  bool VisitStmtExpr(clang::StmtExpr* e) {
    return refuse(e, Message::refused_statement_expression);
  }
  bool VisitIntegerLiteral(clang::IntegerLiteral* number) {
    const std::string macro = macroOf(number);
    return (macro != "__COUNTER__" || refuse(number, Message::refused_counter)) &&
           (macro != "__LINE__" || checkNumbering(number));
  }
  bool VisitStringLiteral(clang::StringLiteral* text) {
    const std::string macro = macroOf(text);
    return (macro != "__FILE__" && macro != "__FILE_NAME__" && macro != "__BASE_FILE__") ||
           checkNumbering(text);
  }

  /// What a default argument or initialiser asks counts where that is used. LibTorch's go into its
  /// own messages.
  bool TraverseCXXDefaultArgExpr(clang::CXXDefaultArgExpr* e) {
    const auto* function = dyn_cast<clang::FunctionDecl>(e->getParam()->getDeclContext());
    const bool of_torch = function != nullptr && inNamespace(function, "c10");
    return of_torch || traverseAt(e->getUsedLocation(), e->getExpr());
  }
  bool TraverseCXXDefaultInitExpr(clang::CXXDefaultInitExpr* e) {
    return traverseAt(e->getUsedLocation(), e->getExpr());
  }
  bool VisitInitListExpr(clang::InitListExpr* list) {
    list = list->isSemanticForm() ? list : list->getSemanticForm();
    for (clang::Expr* value : list != nullptr ? list->inits() : llvm::ArrayRef<clang::Expr*>()) {
      if (auto* left_out = dyn_cast<clang::CXXDefaultInitExpr>(value)) {
        TraverseCXXDefaultInitExpr(left_out);
      }
    }
    return true;
  }
  bool VisitSourceLocExpr(clang::SourceLocExpr* e) {
    using Kind = clang::SourceLocIdentKind;
    const Kind kind = e->getIdentKind();
    const bool same = kind == Kind::Line || kind == Kind::File || kind == Kind::FileName;
    return same || refuse(e, Message::refused_source_location);
  }
  /// Outside of lambdas and local classes the generated code defines these names.
  bool VisitPredefinedExpr(clang::PredefinedExpr* e) {
    const bool whole = e->getIdentKind() == clang::PredefinedIdentKind::PrettyFunction;
    return !whole || inner_functions_ == 0 || refuse(e, Message::refused_source_location);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    return traverseInside([&] { return RecursiveASTVisitor::TraverseLambdaExpr(lambda); });
  }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl* record) {
    return traverseInside([&] { return RecursiveASTVisitor::TraverseCXXRecordDecl(record); });
  }

  bool VisitOMPExecutableDirective(clang::OMPExecutableDirective* stmt) {
    return refuse(stmt, Message::refused_openmp);
  }
  bool VisitIfStmt(clang::IfStmt* stmt) {
    return !stmt->isConsteval() || refuse(stmt, Message::refused_if_consteval);
  }
  bool VisitDeclStmt(clang::DeclStmt* stmt) {
    const auto defines = [](const clang::Decl* decl) { return llvm::isa<clang::TagDecl>(decl); };
    const auto holds = [](const clang::Decl* decl) { return llvm::isa<clang::VarDecl>(decl); };
    return inner_functions_ > 0 ||
           !(llvm::any_of(stmt->decls(), defines) && llvm::any_of(stmt->decls(), holds)) ||
           refuse(stmt, Message::type_with_variable);
  }
  bool VisitNamedDecl(clang::NamedDecl* decl) {
    if (decl->getIdentifier() != nullptr && decl->getName().starts_with("fdg_")) {
      diagnostics_.report(decl->getLocation(), Message::reserved_name) << decl;
    }
    return true;
  }

  bool TraverseCXXTryStmt(clang::CXXTryStmt* stmt) {
    if (const clang::CallExpr* call = annotationIn(stmt)) {
      diagnostics_.report(stmt->getBeginLoc(), Message::refused_try);
      diagnostics_.report(call->getBeginLoc(), Message::note_boundary_here);
    } else if (const clang::Stmt* jump = jumpIn(stmt, true)) {
      diagnostics_.report(jump->getBeginLoc(), Message::refused_jump_in_try);
    }
    return RecursiveASTVisitor::TraverseCXXTryStmt(stmt);
  }

  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (method == nullptr || method->getNameAsString() != "register_hook" ||
        call->getNumArgs() == 0 || !inNamespace(method, "at")) {
      return true;
    }
    const clang::Expr* hook = call->getArg(0)->IgnoreUnlessSpelledInSource();
    return !mayReferOutside(hook->getType()) || refuse(call, Message::hook_refers);
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    if (const auto* guard = guardIn(variable->getType())) {
      diagnostics_.report(variable->getLocation(), Message::guard_owned) << variable << guard;
    }
    const clang::Expr* initialiser = variable->getInit();
    if (initialiser != nullptr && isComponent(variable->getType()) &&
        !variable->getType()->isReferenceType() && !isStream(variable->getType())) {
      if (const auto* construct = dyn_cast<clang::CXXConstructExpr>(initialiser->IgnoreImplicit());
          construct != nullptr && construct->getConstructor()->isCopyOrMoveConstructor()) {
        if (const auto* source = namedComponent(construct->getArg(0))) {
          refuseCopy(variable->getLocation(), source,
                     construct->getConstructor()->isMoveConstructor());
        }
      }
    }
    return true;
  }

  bool VisitDecompositionDecl(clang::DecompositionDecl* object) {
    for (const clang::BindingDecl* binding : object->bindings()) {
      if (inner_functions_ == 0 && !object->getType()->isReferenceType() &&
          isComponent(binding->getType())) {
        diagnostics_.report(binding->getLocation(), Message::component_in_binding) << binding;
      }
    }
    return true;
  }

  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (call->getOperator() != clang::OO_Equal || call->getNumArgs() != 2) {
      return true;
    }
    if (const auto* target = namedComponent(call->getArg(0));
        target != nullptr && !isOfStandardLibrary(target->getType())) {
      diagnostics_.report(call->getOperatorLoc(), Message::component_reassigned) << target;
      diagnostics_.report(target->getLocation(), Message::note_declared) << target;
    }
    return true;
  }

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    for (const clang::LambdaCapture& capture : lambda->captures()) {
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByCopy &&
          isComponent(capture.getCapturedVar()->getType()) &&
          !isStream(capture.getCapturedVar()->getType()) &&
          !capture.getCapturedVar()->getType()->isReferenceType() &&
          !isNamed(capture.getCapturedVar()->getType()->getAsCXXRecordDecl(), "std::shared_ptr")) {
        refuseCopy(capture.getLocation(), capture.getCapturedVar());
      }
    }
    return true;
  }

  bool VisitSwitchStmt(clang::SwitchStmt* stmt) {
    checkCases(stmt);
    const auto* body = dyn_cast<clang::CompoundStmt>(stmt->getBody());
    bool runs_on = false;
    if (body == nullptr) {
      return true;
    }
    for (const clang::Stmt* child : body->body()) {
      const auto* label = dyn_cast<clang::SwitchCase>(child);
      const clang::Stmt* inner = child;
      while (const auto* next = dyn_cast<clang::SwitchCase>(inner)) {
        inner = next->getSubStmt();
      }
      section_falls_in_ = label != nullptr ? runs_on : section_falls_in_;
      if (section_falls_in_ && annotationIn(inner) != nullptr) {
        diagnostics_.report(annotationIn(inner)->getBeginLoc(), Message::refused_fall_through);
      }
      runs_on = !endsSection(inner);
    }
    section_falls_in_ = false;
    return true;
  }

  void checkMacros() {
    for (const auto& [stmt, annotation] : program_.annotations) {
      const auto place = annotation.call->getBeginLoc();
      if (place.isMacroID() && shared(place, stmt)) {
        diagnostics_.report(program_.sources().getExpansionLoc(place), Message::refused_macro);
      }
    }
  }

 private:
  /// The macro that makes a literal; empty: none.
  std::string macroOf(const clang::Expr* literal) const {
    const clang::SourceLocation place = literal->getExprLoc();
    return place.isMacroID() ? clang::Lexer::getImmediateMacroName(place, program_.sources(),
                                                                   program_.context->getLangOpts())
                                   .str()
                             : std::string();
  }
  /// Generated code has the numbers of the file as it is.
  bool checkNumbering(const clang::Expr* literal) {
    const clang::SourceManager& sources = program_.sources();
    const auto place = sources.getExpansionLoc(literal->getExprLoc());
    const auto presumed = sources.getPresumedLoc(place);
    const auto written = sources.getPresumedLoc(place, /*UseLineDirectives=*/false);
    if (presumed.getLine() != written.getLine() ||
        llvm::StringRef(presumed.getFilename()) != written.getFilename()) {
      diagnostics_.report(place, Message::refused_line_directive) << program_.entry;
    }
    return true;
  }
  bool refuse(const clang::Stmt* stmt, Message message) {
    diagnostics_.report(used_at_.isValid() ? used_at_ : stmt->getBeginLoc(), message);
    return true;
  }
  bool traverseAt(clang::SourceLocation place, clang::Expr* e) {
    const auto outer = std::exchange(used_at_, used_at_.isValid() ? used_at_ : place);
    const bool go_on = TraverseStmt(e);
    used_at_ = outer;
    return go_on;
  }
  template <class F>
  bool traverseInside(F traverse) {
    ++inner_functions_;
    const bool go_on = traverse();
    --inner_functions_;
    return go_on;
  }

  /// Every label stands directly in the braces of its switch.
  void checkCases(const clang::SwitchStmt* stmt) {
    std::set<const clang::SwitchCase*> direct, attributed;
    if (const auto* body = dyn_cast<clang::CompoundStmt>(stmt->getBody())) {
      for (const clang::Stmt* child : body->body()) {
        if (const auto* behind = dyn_cast<clang::AttributedStmt>(child)) {
          attributed.insert(dyn_cast<clang::SwitchCase>(behind->getSubStmt()));
        }
        while (const auto* label = dyn_cast<clang::SwitchCase>(child)) {
          direct.insert(label);
          child = label->getSubStmt();
        }
      }
    }
    for (const auto* label = stmt->getSwitchCaseList();
         label != nullptr && !program_.isOneMacro(stmt); label = label->getNextSwitchCase()) {
      if (direct.count(label) == 0) {
        diagnostics_.report(label->getKeywordLoc(), Message::refused_case)
            << (attributed.count(label) > 0 ? 1 : 0);
      }
    }
  }

  void refuseCopy(clang::SourceLocation place, const clang::ValueDecl* source,
                  bool moved = false) {
    diagnostics_.report(place, Message::component_copied) << source << (moved ? 1 : 0);
    diagnostics_.report(source->getLocation(), Message::note_declared) << source;
  }

  const clang::CallExpr* annotationIn(const clang::Stmt* stmt) const {
    if (stmt == nullptr) {
      return nullptr;
    }
    if (const auto found = program_.annotations.find(stmt); found != program_.annotations.end()) {
      return found->second.call;
    }
    for (const clang::Stmt* child : stmt->children()) {
      if (const auto* call = annotationIn(child)) {
        return call;
      }
    }
    return nullptr;
  }

  /// A jump that leaves the statement; jumps of loops inside stay inside.
  static const clang::Stmt* jumpIn(const clang::Stmt* stmt, bool loose) {
    if (stmt == nullptr || llvm::isa<clang::LambdaExpr>(stmt)) {
      return nullptr;
    }
    if (llvm::isa<clang::ReturnStmt>(stmt) ||
        (loose && llvm::isa<clang::BreakStmt, clang::ContinueStmt>(stmt))) {
      return stmt;
    }
    const bool catches =
        llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt);
    for (const clang::Stmt* child : stmt->children()) {
      if (const auto* jump = jumpIn(child, loose && !catches)) {
        return jump;
      }
    }
    return nullptr;
  }

  static bool endsSection(const clang::Stmt* stmt) {
    if (const auto* block = dyn_cast<clang::CompoundStmt>(stmt)) {
      return !block->body_empty() && endsSection(block->body_back());
    }
    return llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::CXXThrowExpr>(
        stmt);
  }

  /// Another statement of the function comes out of the same use of a macro.
  bool shared(clang::SourceLocation place, const clang::Stmt* annotation) const {
    const auto expansion = program_.sources().getExpansionLoc(place);
    const std::function<bool(const clang::Stmt*)> other = [&](const clang::Stmt* stmt) {
      if (stmt == nullptr || stmt == annotation) {
        return false;
      }
      const auto begin = stmt->getBeginLoc();
      if (begin.isMacroID() && program_.sources().getExpansionLoc(begin) == expansion) {
        return true;
      }
      return llvm::any_of(stmt->children(), other);
    };
    return other(program_.entry->getBody());
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  bool section_falls_in_ = false;
  int inner_functions_ = 0;        ///< How many lambdas and classes are around.
  clang::SourceLocation used_at_;  ///< Of the default argument that is looked into.
};

}  // namespace

bool checkSubset(const Program& program, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  Subset subset(program, diagnostics);
  for (clang::ParmVarDecl* parameter : program.entry->parameters()) {
    subset.VisitNamedDecl(parameter);
  }
  subset.TraverseStmt(program.entry->getBody());
  subset.checkMacros();
  return diagnostics.errors() == before;
}

}  // namespace fdg::compiler
