#include "compiler/emit/FragmentEmitter.h"

#include <algorithm>

#include "clang/AST/RecursiveASTVisitor.h"

namespace fdg::compiler {
namespace {

class LogFinder final : public clang::RecursiveASTVisitor<LogFinder> {
 public:
  explicit LogFinder(const clang::ParmVarDecl* run) : run_(run) {}

  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const auto* object = llvm::dyn_cast<clang::DeclRefExpr>(
        call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (object != nullptr && method != nullptr && method->getIdentifier() != nullptr) {
      const llvm::StringRef name = method->getName();
      if (name == "rows" || name == "stream" || name == "device" || name == "seed") {
        harmless_.insert(object);
      }
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    found = found || (reference->getDecl() == run_ && !harmless_.contains(reference));
    return true;
  }
  bool found = false;

 private:
  const clang::ParmVarDecl* run_;
  std::set<const clang::DeclRefExpr*> harmless_;
};

std::vector<const clang::ValueDecl*> variablesOf(const clang::DeclStmt* stmt) {
  std::vector<const clang::ValueDecl*> variables;
  for (const clang::Decl* decl : stmt->decls()) {
    if (const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(decl)) {
      variables.insert(variables.end(), bindings->bindings().begin(), bindings->bindings().end());
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      variables.push_back(variable);
    }
  }
  return variables;
}

bool isControl(const clang::Stmt* stmt) {
  return llvm::isa<clang::IfStmt, clang::SwitchStmt, clang::ForStmt, clang::WhileStmt,
                   clang::DoStmt, clang::CXXForRangeStmt>(stmt);
}

}  // namespace

bool mayLog(const clang::Stmt* stmt, const clang::ParmVarDecl* run) {
  if (stmt == nullptr || run == nullptr) {
    return false;
  }
  LogFinder finder(run);
  finder.TraverseStmt(const_cast<clang::Stmt*>(stmt));
  return finder.found;
}

FragmentEmitter::FragmentEmitter(const Program& program, const Split& split, int fragment,
                                 CodeWriter& out)
    : program_(program),
      split_(split),
      part_(split.fragments[static_cast<size_t>(fragment)]),
      id_(fragment),
      source_(*program.context),
      out_(out) {
  for (const Boundary& boundary : split.boundaries) {
    for (size_t i = 0; i < boundary.values.size() && i < boundary.spelled_types.size(); ++i) {
      spelled_types_[boundary.values[i]] = boundary.spelled_types[i];
    }
    if (exchanges(boundary) || isConsumer(boundary)) {
      assigned_.insert(boundary.values.begin(), boundary.values.end());
    }
  }
}

void FragmentEmitter::emitBody() {
  for (const clang::Stmt* child : program_.entry->getBody()->children()) {
    statement(child);
  }
}

/// Parts of a header that the split does not list by themselves belong to their control statement.
bool FragmentEmitter::keepsPart(const clang::Stmt* part) const {
  return keeps(part) || !split_.number.contains(part);
}

bool FragmentEmitter::holdsAnything(const clang::Stmt* stmt) const {
  if (stmt == nullptr) {
    return false;
  }
  if (directly_in_switch_ && llvm::isa<clang::BreakStmt>(stmt)) {
    return true;  // without it the case would fall through
  }
  if (keeps(stmt) || program_.annotations.contains(stmt)) {
    return keeps(stmt) || std::ranges::any_of(split_.boundaries, [&](const Boundary& b) {
             return b.place == stmt && (isProducer(b) || isConsumer(b));
           });
  }
  if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    return std::ranges::any_of(variablesOf(declarations), [&](const clang::ValueDecl* v) {
      return part_.declares.contains(v);
    });
  }
  return std::ranges::any_of(stmt->children(),
                             [&](const clang::Stmt* child) { return holdsAnything(child); });
}

void FragmentEmitter::statement(const clang::Stmt* stmt) {
  if (already_emitted_.contains(stmt)) {
    return;
  }
  if (program_.annotations.contains(stmt)) {
    annotation(stmt);
  } else if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(stmt)) {
    if (holdsAnything(block)) {
      out_.open("");
      for (const clang::Stmt* child : block->body()) {
        statement(child);
      }
      out_.close();
    }
  } else if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    declaration(declarations);
  } else if (const auto* switch_case = llvm::dyn_cast<clang::SwitchCase>(stmt)) {
    label(switch_case);
  } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(stmt)) {
    statement(attributed->getSubStmt());
  } else if (isControl(stmt) && !program_.isOneMacro(stmt)) {
    if (keeps(stmt)) {
      control(stmt);
    }
  } else if (keeps(stmt) || (directly_in_switch_ && llvm::isa<clang::BreakStmt>(stmt))) {
    kept(stmt);
  }
}

/// The body of a control statement whose braces are open already.
void FragmentEmitter::branch(const clang::Stmt* body) {
  const bool outer = std::exchange(directly_in_switch_, false);
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
    for (const clang::Stmt* child : block->body()) {
      statement(child);
    }
  } else {
    statement(body);
  }
  directly_in_switch_ = outer;
}

/// What goes in front of a statement that may log: its number.
std::string FragmentEmitter::announcement(const clang::Stmt* part,
                                          const clang::Stmt* numbered) const {
  return mayLog(part, program_.run) ? "fdg_ports.at(" + std::to_string(number(numbered)) + "); "
                                    : "";
}

void FragmentEmitter::kept(const clang::Stmt* stmt) {
  out_.copy(announcement(stmt, stmt), source_.statement(stmt, /*coroutine=*/!in_drain_block_), "");
}

void FragmentEmitter::declaration(const clang::DeclStmt* stmt) {
  const std::vector<const clang::ValueDecl*> variables = variablesOf(stmt);
  if (!keeps(stmt) && !variables.empty()) {
    for (const clang::ValueDecl* variable : variables) {
      declare(variable);
    }
    return;
  }
  const bool is_assigned = std::ranges::any_of(
      variables, [&](const clang::ValueDecl* v) { return assigned_.contains(v); });
  const std::string first = keeps(stmt) ? announcement(stmt, stmt) : "";
  if (is_assigned) {
    out_.copy(first, source_.withoutConst(stmt), ";");
  } else {
    out_.copy(first, source_.statement(stmt), "");
  }
}

bool FragmentEmitter::isAssigned(const clang::ValueDecl* variable) const {
  const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(variable);
  return assigned_.contains(variable) ||
         (bindings != nullptr &&
          std::ranges::any_of(bindings->bindings(),
                              [&](const auto* binding) { return assigned_.contains(binding); }));
}

Piece FragmentEmitter::declarationText(const clang::VarDecl* variable, unsigned end) const {
  const TextRange range = {source_.offset(variable->getBeginLoc()), end};
  Piece text = isAssigned(variable) ? source_.withoutConst(range, variable)
                                    : Piece{source_.file().slice(range.begin, end).str(),
                                            source_.lineOf(range.begin)};
  text.text.erase(text.text.find_last_not_of(" \n") + 1);
  return text;
}

/// A variable whose value comes from elsewhere; empty: it needs none here.
Piece FragmentEmitter::emptyVariable(const clang::Decl* decl) const {
  const auto* variable = llvm::dyn_cast<clang::ValueDecl>(decl);
  if (variable == nullptr || !part_.declares.contains(variable)) {
    return {};
  }
  const auto known = spelled_types_.find(variable);
  const std::string type = known != spelled_types_.end()
                               ? known->second
                               : spelledType(variable->getType(), *program_.context);
  return {type + " " + variable->getNameAsString() + "{};",
          source_.lineOf(source_.offset(variable->getLocation()))};
}

void FragmentEmitter::declare(const clang::Decl* decl) {
  const Piece variable = emptyVariable(decl);
  if (!variable.text.empty()) {
    out_.mark(variable.line);
    out_.line(variable.text);
  }
}

void FragmentEmitter::label(const clang::SwitchCase* label) {
  out_.copy(source_.exact({label->getBeginLoc(), label->getColonLoc()}));
  out_.line(";");
  statement(label->getSubStmt());
}

int FragmentEmitter::number(const clang::Stmt* stmt) const {
  const auto found = split_.number.find(stmt);
  FDG_CHECK(found != split_.number.end(), "a statement without a number: " + program_.text(stmt));
  return found->second;
}

}  // namespace fdg::compiler
