#include "compiler/emit/FragmentEmitter.h"

#include <algorithm>

#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

std::vector<const clang::ValueDecl*> variablesOf(const clang::Decl* decl) {
  if (const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(decl)) {
    return {bindings->bindings().begin(), bindings->bindings().end()};
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
  return variable == nullptr ? std::vector<const clang::ValueDecl*>()
                             : std::vector<const clang::ValueDecl*>{variable};
}

std::vector<const clang::ValueDecl*> variablesOf(const clang::DeclStmt* stmt) {
  std::vector<const clang::ValueDecl*> variables;
  for (const clang::Decl* decl : stmt->decls()) {
    const std::vector<const clang::ValueDecl*> more = variablesOf(decl);
    variables.insert(variables.end(), more.begin(), more.end());
  }
  return variables;
}

bool isControl(const clang::Stmt* stmt) {
  return llvm::isa<clang::IfStmt, clang::SwitchStmt, clang::ForStmt, clang::WhileStmt,
                   clang::DoStmt, clang::CXXForRangeStmt>(stmt);
}

}  // namespace

FragmentEmitter::FragmentEmitter(const Program& program, const Split& split, int fragment,
                                 CodeWriter& out)
    : program_(program),
      split_(split),
      part_(split.fragments[static_cast<size_t>(fragment)]),
      id_(fragment),
      source_(*program.context),
      logging_(program.run),
      out_(out) {
  for (const auto& [loop, variables] : part_.carries) {
    assigned_.insert(variables.begin(), variables.end());
  }
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
  return logging_.mayLog(part) ? "fdg_ports.at(" + std::to_string(number(numbered)) + "); " : "";
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
  out_.copy(keeps(stmt) ? announcement(stmt, stmt) : "", declarationText(stmt), "");
}

bool FragmentEmitter::isAssigned(const clang::ValueDecl* variable) const {
  const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(variable);
  return assigned_.contains(variable) ||
         (bindings != nullptr &&
          std::ranges::any_of(bindings->bindings(),
                              [&](const auto* binding) { return assigned_.contains(binding); }));
}

/// Without the const in front of variables that a boundary assigns.
Piece FragmentEmitter::declarationText(const clang::DeclStmt* stmt) const {
  std::vector<const clang::VarDecl*> declared;
  for (const clang::Decl* decl : stmt->decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      declared.push_back(variable);
    }
  }
  const auto hides = [&](const clang::VarDecl* variable) { return hidesConst(variable); };
  const auto assigned = [&](const clang::VarDecl* variable) { return isAssigned(variable); };
  Piece text = source_.statement(stmt);
  if (std::ranges::any_of(declared, hides)) {
    text = madeAnew(text, declared);
    text.text += ';';
  } else if (std::ranges::any_of(declared, assigned)) {
    text = source_.withoutConst(stmt);
    text.text += ';';
  }
  return text;
}

/// The same for the declaration of a header, from its specifiers to `end`.
Piece FragmentEmitter::declarationText(const clang::VarDecl* variable, unsigned end) const {
  const Piece text = writtenText(variable, end);
  const TextRange range = {source_.offset(variable->getBeginLoc()), end};
  return hidesConst(variable)   ? madeAnew(text, {variable})
         : isAssigned(variable) ? source_.withoutConst(range, variable)
                                : text;
}

Piece FragmentEmitter::writtenText(const clang::VarDecl* variable, unsigned end) const {
  const unsigned begin = source_.offset(variable->getBeginLoc());
  return {source_.file().slice(begin, end).rtrim(" \n").str(), source_.lineOf(begin)};
}

/// A boundary assigns it, and it is const by something else than the word in front of it, which
/// could be left out: by an alias, a macro, or as a part of what it is bound to.
bool FragmentEmitter::hidesConst(const clang::VarDecl* variable) const {
  if (const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(variable)) {
    return std::ranges::any_of(bindings->bindings(), [&](const clang::BindingDecl* binding) {
      return assigned_.contains(binding) && binding->getType().isConstQualified();
    });
  }
  if (!assigned_.contains(variable) || !variable->getType().isConstQualified()) {
    return false;
  }
  const TextRange range = {source_.offset(variable->getBeginLoc()),
                           source_.offset(variable->getLocation())};
  const clang::TypeLoc written = variable->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
  return written.getType().isConstQualified() ||
         source_.withoutConst(range, variable).text.size() >= range.end - range.begin;
}

/// const auto [a, b] = f(); → auto [a, b] = [&] { const auto [a, b] = f(); return std::tuple<A,
/// B>(a, b); }()
Piece FragmentEmitter::madeAnew(const Piece& declaration,
                                const std::vector<const clang::VarDecl*>& declared) const {
  std::string names;
  std::string types;
  for (const clang::VarDecl* decl : declared) {
    for (const clang::ValueDecl* variable : variablesOf(decl)) {
      const std::string separator = names.empty() ? "" : ", ";
      names += separator + variable->getNameAsString();
      types += separator + typeText(variable);
    }
  }
  const bool one = declared.size() == 1 && !llvm::isa<clang::DecompositionDecl>(declared.front());
  const std::string head = one ? types + " " + names : "auto [" + names + "]";
  const std::string made = one ? names : "std::tuple<" + types + ">(" + names + ")";
  const std::string end = llvm::StringRef(declaration.text).ends_with(";") ? "" : ";";
  return {head + " = [&] { " + declaration.text + end + " return " + made + "; }()",
          declaration.line};
}

std::string FragmentEmitter::typeText(const clang::ValueDecl* variable) const {
  const auto known = spelled_types_.find(variable);
  return known != spelled_types_.end() ? known->second
                                       : spelledType(variable->getType(), *program_.context);
}

/// A variable whose value comes from elsewhere; empty: it needs none here.
Piece FragmentEmitter::emptyVariable(const clang::Decl* decl) const {
  const auto* variable = llvm::dyn_cast<clang::ValueDecl>(decl);
  if (variable == nullptr || !part_.declares.contains(variable)) {
    return {};
  }
  // A pointer to a function, or to a member, is written around its name.
  const std::string type = typeText(variable);
  const bool around = llvm::StringRef(type).contains("*)");
  return {(around ? "std::type_identity_t<" + type + ">" : type) + " " +
              variable->getNameAsString() + "{};",
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
