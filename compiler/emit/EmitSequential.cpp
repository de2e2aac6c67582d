#include "compiler/emit/EmitSequential.h"

#include <algorithm>
#include <map>

#include "clang/AST/Attr.h"
#include "compiler/emit/LogFinder.h"

namespace fdg::compiler {
namespace {

class Weaver {
 public:
  Weaver(const Program& program, const Split& split)
      : program_(program), split_(split), source_(*program.context), logging_(program.run) {}

  Piece weave() {
    const clang::Stmt* body = program_.entry->getBody();
    statement(body, true);
    const TextRange range = source_.range(body->getSourceRange());
    return {edits_.apply(source_.file(), range), source_.lineOf(range.begin)};
  }

 private:
  /// `in_block`: other statements may stand beside it, else it must stay one statement.
  void statement(const clang::Stmt* stmt, bool in_block);
  void plain(const clang::Stmt* stmt, bool in_block);
  void notePragmas(const clang::AttributedStmt* stmt);
  void ifStatement(const clang::IfStmt* stmt, bool in_block);
  void loop(const clang::Stmt* stmt, const clang::Stmt* body, const std::string& before);
  void whileStatement(const clang::WhileStmt* stmt);
  void rangeFor(const clang::CXXForRangeStmt* stmt);
  void tellOutcome(const clang::Stmt* control, const clang::Expr* condition,
                   const std::string& type);
  void tellVariable(const clang::Stmt* control, const clang::VarDecl* variable);
  const Boundary* choiceAt(const clang::Stmt* control) const;

  void before(const clang::Stmt* stmt, const std::string& text) {
    const auto pragma = pragmas_.find(stmt);
    if (pragma == pragmas_.end()) {
      edits_.insert(source_.wholeStatement(stmt).begin, text);
    } else {
      const std::string line = std::to_string(source_.lineOf(pragma->second));
      edits_.insert(pragma->second, text + "\n#line " + line + "\n");
    }
  }
  void after(const clang::Stmt* stmt, const std::string& text) {
    edits_.insert(source_.wholeStatement(stmt).end, text);
  }
  std::string at(const clang::Stmt* stmt) const {
    return "fdg_tape.at(" + std::to_string(split_.number.at(stmt)) + "); ";
  }

  const Program& program_;
  const Split& split_;
  SourceText source_;
  LogFinder logging_;
  TextEdits edits_;
  std::map<const clang::Stmt*, unsigned> pragmas_;  ///< Where the lines of a loop's pragmas begin.
};

const Boundary* Weaver::choiceAt(const clang::Stmt* control) const {
  const auto found = std::ranges::find_if(
      split_.boundaries, [&](const Boundary& b) { return b.info.implicit && b.place == control; });
  return found == split_.boundaries.end() ? nullptr : &*found;
}

void Weaver::tellOutcome(const clang::Stmt* control, const clang::Expr* condition,
                         const std::string& type) {
  if (const Boundary* choice = choiceAt(control); choice != nullptr && condition != nullptr) {
    const TextRange range = source_.range(condition->getSourceRange());
    edits_.insert(range.begin, "fdg_tape.told(" + std::to_string(choice->info.id) +
                                   ", static_cast<" + type + ">(");
    edits_.insert(range.end, "))");
  }
}

/// if (auto x = f()) → if (auto x = f(); told(x))
void Weaver::tellVariable(const clang::Stmt* control, const clang::VarDecl* variable) {
  if (const Boundary* choice = choiceAt(control)) {
    edits_.insert(source_.range(variable->getSourceRange()).end,
                  "; fdg_tape.told(" + std::to_string(choice->info.id) + ", static_cast<bool>(" +
                      variable->getNameAsString() + "))");
  }
}

void Weaver::statement(const clang::Stmt* stmt, bool in_block) {
  if (program_.isOneMacro(stmt)) {
    plain(stmt, in_block);
  } else if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(stmt)) {
    for (const clang::Stmt* child : block->body()) {
      statement(child, true);
    }
  } else if (const auto* branching = llvm::dyn_cast<clang::IfStmt>(stmt)) {
    ifStatement(branching, in_block);
  } else if (const auto* selection = llvm::dyn_cast<clang::SwitchStmt>(stmt)) {
    if (selection->getConditionVariable() == nullptr) {
      tellOutcome(stmt, selection->getCond(),
                  spelledType(selection->getCond()->getType(), *program_.context));
    }
    statement(selection->getBody(), false);
  } else if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(stmt)) {
    statement(label->getSubStmt(), true);
  } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(stmt)) {
    notePragmas(attributed);
    statement(attributed->getSubStmt(), false);
  } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(stmt)) {
    tellOutcome(stmt, counted->getConditionVariable() == nullptr ? counted->getCond() : nullptr,
                "bool");
    loop(stmt, counted->getBody(), "");
  } else if (const auto* conditional = llvm::dyn_cast<clang::WhileStmt>(stmt)) {
    whileStatement(conditional);
  } else if (const auto* at_least_once = llvm::dyn_cast<clang::DoStmt>(stmt)) {
    tellOutcome(stmt, at_least_once->getCond(), "bool");
    loop(stmt, at_least_once->getBody(), "");
  } else if (const auto* ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(stmt)) {
    rangeFor(ranged);
  } else {
    plain(stmt, in_block);
  }
}

/// `#pragma unroll` must stay the line before its loop: what goes in front of the loop goes in
/// front of the pragma.
void Weaver::notePragmas(const clang::AttributedStmt* stmt) {
  for (const clang::Attr* attribute : stmt->getAttrs()) {
    if (llvm::isa<clang::LoopHintAttr>(attribute)) {
      const size_t line = source_.file().rfind('\n', source_.offset(attribute->getLocation()));
      const unsigned begin = line == llvm::StringRef::npos ? 0 : static_cast<unsigned>(line) + 1;
      const auto [entry, added] = pragmas_.emplace(stmt->getSubStmt(), begin);
      entry->second = std::min(entry->second, begin);
    }
  }
}

void Weaver::plain(const clang::Stmt* stmt, bool in_block) {
  std::string first = logging_.mayLog(stmt) && split_.number.contains(stmt) ? at(stmt) : "";
  std::string last;
  for (const Boundary& b : split_.boundaries) {
    if (!b.info.implicit && b.place == stmt) {
      last += " fdg_tape.cross(" + std::to_string(b.info.id);
      for (const clang::ValueDecl* value : b.values) {
        last += ", " + value->getNameAsString();
      }
      last += ");";
    }
  }
  if (first.empty() && last.empty()) {
    return;
  }
  before(stmt, in_block ? first : "{ " + first);
  after(stmt, in_block ? last : last + " }");
}

void Weaver::ifStatement(const clang::IfStmt* stmt, bool in_block) {
  const bool logs = logging_.mayLog(stmt->getCond()) || logging_.mayLog(stmt->getInit());
  if (logs) {
    before(stmt, in_block ? at(stmt) : "{ " + at(stmt));
  }
  if (const clang::VarDecl* variable = stmt->getConditionVariable()) {
    tellVariable(stmt, variable);
  } else if (!stmt->isConstexpr()) {
    tellOutcome(stmt, stmt->getCond(), "bool");
  }
  statement(stmt->getThen(), false);
  if (stmt->getElse() != nullptr) {
    statement(stmt->getElse(), false);
  }
  if (logs && !in_block) {
    after(stmt, " }");
  }
}

void Weaver::loop(const clang::Stmt* stmt, const clang::Stmt* body, const std::string& in_front) {
  const std::string number = std::to_string(split_.number.at(stmt));
  before(stmt, "{ auto fdg_loop" + number + " = fdg_tape.loop(" + number + "); " + in_front);
  const std::string next = "if (!fdg_loop" + number + ".next()) break; ";
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
    edits_.insert(source_.offset(block->getLBracLoc()) + 1, " " + next);
    statement(body, true);
  } else {
    before(body, "{ " + next);
    statement(body, true);
    after(body, " }");
  }
  after(stmt, " }");
}

void Weaver::whileStatement(const clang::WhileStmt* stmt) {
  const clang::VarDecl* variable = stmt->getConditionVariable();
  const Boundary* choice = choiceAt(stmt);
  if (variable == nullptr || choice == nullptr) {
    tellOutcome(stmt, variable == nullptr ? stmt->getCond() : nullptr, "bool");
    loop(stmt, stmt->getBody(), "");
    return;
  }
  // while (auto x = f()) { … } → for (;;) { auto x = f(); if (!told(x)) break; { … } }
  const TextRange declared = source_.range(variable->getSourceRange());
  loop(stmt, stmt->getBody(), "");
  edits_.replace({source_.wholeStatement(stmt).begin, declared.begin}, "for (;;) { ");
  edits_.replace({declared.end, source_.offset(stmt->getRParenLoc()) + 1},
                 "; if (!fdg_tape.told(" + std::to_string(choice->info.id) +
                     ", static_cast<bool>(" + variable->getNameAsString() + "))) break; ");
  after(stmt, " }");
}

void Weaver::rangeFor(const clang::CXXForRangeStmt* stmt) {
  const Boundary* choice = choiceAt(stmt);
  if (choice == nullptr) {
    loop(stmt, stmt->getBody(), "");
    return;
  }
  const std::string name = "fdg_range" + std::to_string(split_.number.at(stmt));
  std::string in_front;
  if (stmt->getInit() != nullptr) {
    const TextRange init = source_.wholeStatement(stmt->getInit());
    in_front = source_.file().slice(init.begin, init.end).str() + " ";
    edits_.replace(init, "");
  }
  const TextRange range = source_.range(stmt->getRangeInit()->getSourceRange());
  in_front += "auto&& " + name + " = " + source_.exact(stmt->getRangeInit()).text + "; ";
  loop(stmt, stmt->getBody(), in_front);
  edits_.replace(range,
                 std::string("fdg_tape.") + (choice->tellsLength() ? "toldLength" : "toldSteps") +
                     "(" + std::to_string(choice->info.id) + ", " + name + ")");
}

}  // namespace

Piece emitSequentialBody(const Program& program, const Split& split) {
  return Weaver(program, split).weave();
}

}  // namespace fdg::compiler
