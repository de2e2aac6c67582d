// The part of FragmentEmitter that rebuilds control statements around what the fragment keeps.
#include "compiler/emit/FragmentEmitter.h"

namespace fdg::compiler {

void FragmentEmitter::control(const clang::Stmt* stmt) {
  const Boundary* choice = choiceAt(stmt);
  const bool only_drain =
      choice != nullptr && choice->info.only_for_drain >= 0 && isConsumer(*choice);
  if (only_drain) {
    // All that stands here is one drain block: drained, it needs no outcome, a message comes or
    // does not.
    const std::string id = std::to_string(choice->info.only_for_drain);
    out_.open("if (fdg_ports.drained(" + id + "))");
    out_.line("co_await fdg_ports.drain(" + id + ");");
    out_.reopen("else");
  }
  if (const auto* branching = llvm::dyn_cast<clang::IfStmt>(stmt)) {
    ifStatement(branching);
  } else if (const auto* selection = llvm::dyn_cast<clang::SwitchStmt>(stmt)) {
    switchStatement(selection);
  } else {
    loop(stmt);
  }
  if (only_drain) {
    out_.close();
  }
}

Piece FragmentEmitter::condition(const clang::Stmt* control, Piece text,
                                 const std::string& type) const {
  const Boundary* choice = choiceAt(control);
  if (choice == nullptr) {
    return text;
  }
  const std::string id = std::to_string(choice->info.id);
  if (isConsumer(*choice)) {
    return {"co_await fdg_ports.ask<" + type + ">(" + id + ")", text.line};
  }
  const std::string outcome = "static_cast<" + type + ">(" + text.text + ")";
  std::string tell = "co_await fdg_ports.tell(" + id + ", " + outcome + ")";
  if (choice->info.only_for_drain >= 0) {
    tell = "fdg_ports.drained(" + std::to_string(choice->info.only_for_drain) + ") ? " + outcome +
           " : " + tell;
  }
  return {tell, text.line};
}

Piece FragmentEmitter::initialiser(const clang::Stmt* init) {
  if (init == nullptr) {
    return {};
  }
  const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(init);
  if (keepsPart(init)) {
    Piece text = declarations != nullptr ? declarationText(declarations) : source_.statement(init);
    if (text.text.empty() || text.text.back() != ';') {
      text.text += ';';
    }
    text.text += ' ';
    return text;
  }
  if (declarations != nullptr) {
    declaration(declarations);
  }
  return {};
}

void FragmentEmitter::ifStatement(const clang::IfStmt* stmt) {
  std::string first = announcement(stmt->getCond(), stmt);
  if (first.empty()) {
    first = announcement(stmt->getInit(), stmt);
  }
  const clang::VarDecl* variable = stmt->getConditionVariable();
  const bool in_block =
      stmt->getInit() != nullptr && (variable != nullptr || !keepsPart(stmt->getInit()));
  if (in_block) {
    out_.open("");
  }
  Piece init = initialiser(stmt->getInit());
  if (in_block && !init.text.empty()) {
    out_.copy(std::exchange(init, {}));
  }
  Piece outcome;
  if (variable == nullptr) {
    outcome = condition(stmt, source_.exact(stmt->getCond()));
  } else {
    const Piece declared = declarationText(variable, source_.range(variable->getSourceRange()).end);
    outcome = condition(stmt, {variable->getNameAsString(), declared.line});
    if (const Boundary* choice = choiceAt(stmt); choice == nullptr || isProducer(*choice)) {
      init = {declared.text + "; ", declared.line};
    } else if (Piece empty = emptyVariable(variable); !empty.text.empty()) {
      init = {empty.text + " ", empty.line};
    }
  }
  out_.open(first + "if " + (stmt->isConstexpr() ? "constexpr " : "") + "(" + init.text, outcome,
            ")");
  branch(stmt->getThen());
  if (holdsAnything(stmt->getElse())) {
    out_.reopen("else");
    branch(stmt->getElse());
  }
  out_.close();
  if (in_block) {
    out_.close();
  }
}

void FragmentEmitter::switchStatement(const clang::SwitchStmt* stmt) {
  const bool in_block = stmt->getInit() != nullptr || stmt->getConditionVariable() != nullptr;
  if (in_block) {
    out_.open("");
    if (const Piece init = initialiser(stmt->getInit()); !init.text.empty()) {
      out_.copy(init);
    }
  }
  Piece selector = source_.exact(stmt->getCond());
  const Boundary* choice = choiceAt(stmt);
  if (const clang::VarDecl* variable = stmt->getConditionVariable()) {
    if (choice == nullptr || isProducer(*choice)) {
      out_.copy("", declarationText(variable, source_.range(variable->getSourceRange()).end), ";");
    } else {
      declare(variable);
    }
    selector = {variable->getNameAsString(), selector.line};
  }
  const std::string type = spelledType(stmt->getCond()->getType(), *program_.context);
  out_.open("switch (", condition(stmt, selector, type), ")");
  const bool outer = std::exchange(directly_in_switch_, true);
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(stmt->getBody())) {
    for (const clang::Stmt* child : block->body()) {
      statement(child);
    }
  }
  directly_in_switch_ = outer;
  out_.close();
  if (in_block) {
    out_.close();
  }
}

std::string FragmentEmitter::loopName(const clang::Stmt* loop) const {
  return "fdg_loop" + std::to_string(number(loop));
}

/// A loop in its own scope; the outermost one ends quietly when the other side of a boundary has
/// ended.
void FragmentEmitter::loop(const clang::Stmt* stmt) {
  if (in_drain_block_) {
    loopInside(stmt);
    return;
  }
  const bool is_outermost = loop_depth_ == 0;
  if (is_outermost) {
    registerDrains(stmt);
  }
  out_.open("");
  out_.line("auto " + loopName(stmt) + " = fdg_ports.loop(" + std::to_string(number(stmt)) + ");");
  if (is_outermost) {
    out_.open("try");
  }
  ++loop_depth_;
  loopInside(stmt);
  --loop_depth_;
  if (is_outermost && mayDrainIn(stmt)) {
    out_.line("co_await " + loopName(stmt) + ".finish();");
  }
  if (is_outermost) {
    out_.reopen("catch (const ::fdg::host::Closed&)");
    out_.line("// A partner has ended: what follows the loop still runs.");
    out_.close();
  }
  out_.close();
}

void FragmentEmitter::loopInside(const clang::Stmt* stmt) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(stmt)) {
    forLoop(counted);
  } else if (const auto* conditional = llvm::dyn_cast<clang::WhileStmt>(stmt)) {
    whileLoop(conditional);
  } else if (const auto* at_least_once = llvm::dyn_cast<clang::DoStmt>(stmt)) {
    doLoop(at_least_once);
  } else {
    rangeLoop(llvm::cast<clang::CXXForRangeStmt>(stmt));
  }
}

/// `more` lets a fragment that serves others at its own pace go on past its own bound.
Piece FragmentEmitter::loopCondition(const clang::Stmt* loop, const clang::Expr* cond) const {
  Piece text = cond == nullptr ? Piece{"true", source_.lineOf(source_.offset(loop->getBeginLoc()))}
                               : source_.exact(cond);
  text = condition(loop, text);
  if (loop_depth_ == 1 && !in_drain_block_) {
    text.text = loopName(loop) + ".more(" + text.text + ")";
  }
  return text;
}

void FragmentEmitter::loopBody(const clang::Stmt* loop, const clang::Stmt* body,
                               const clang::Decl* variable) {
  if (!in_drain_block_) {
    if (llvm::isa<clang::CXXForRangeStmt>(loop) && part_.carries.contains(loop)) {
      out_.line("if (" + loopName(loop) + ".skips()) continue;");  // nothing can set its iterator
    }
    out_.line("if (!co_await " + loopName(loop) + ".next()) break;");
    checkpoint(loop);
  }
  if (variable != nullptr) {
    declare(variable);
  }
  branch(body);
}

/// At the head of an iteration nothing is under way: what the fragment carries is all there is.
void FragmentEmitter::checkpoint(const clang::Stmt* loop) {
  const auto carried = part_.carries.find(loop);
  if (carried == part_.carries.end()) {
    return;
  }
  out_.open("if (::fdg::host::LoopState fdg_state = " + loopName(loop) + ".state())");
  for (const clang::ValueDecl* variable : carried->second) {
    const std::string name = variable->getNameAsString();
    out_.line("fdg_state(" + quoted(name) + ", " + name + ");");
  }
  out_.line("fdg_state.done();");
  out_.close();
}

void FragmentEmitter::forLoop(const clang::ForStmt* stmt) {
  const Piece init = initialiser(stmt->getInit());
  const std::string start = "for (" + (init.text.empty() ? "; " : init.text);
  std::string step;
  if (stmt->getInc() != nullptr && keepsPart(stmt->getInc())) {
    step = " " + source_.exact(stmt->getInc()).text;
  }
  if (const clang::VarDecl* variable = stmt->getConditionVariable()) {
    out_.open(start + ";" + step + ")");
    variableCondition(stmt, variable);
  } else {
    out_.open(start, loopCondition(stmt, stmt->getCond()), ";" + step + ")");
  }
  loopBody(stmt, stmt->getBody());
  out_.close();
}

void FragmentEmitter::whileLoop(const clang::WhileStmt* stmt) {
  if (const clang::VarDecl* variable = stmt->getConditionVariable()) {
    out_.open("while (true)");
    variableCondition(stmt, variable);
  } else {
    out_.open("while (", loopCondition(stmt, stmt->getCond()), ")");
  }
  loopBody(stmt, stmt->getBody());
  out_.close();
}

/// while (auto x = next()) → while (true) { auto x = next(); if (!outcome) break; … }
void FragmentEmitter::variableCondition(const clang::Stmt* loop, const clang::VarDecl* variable) {
  const Piece declared = declarationText(variable, source_.range(variable->getSourceRange()).end);
  const Boundary* choice = choiceAt(loop);
  if (choice == nullptr || isProducer(*choice)) {
    out_.copy("", declared, ";");
  } else {
    declare(variable);
  }
  out_.copy("if (!(", condition(loop, {variable->getNameAsString(), declared.line}), ")) break;");
}

void FragmentEmitter::doLoop(const clang::DoStmt* stmt) {
  out_.open("do");
  loopBody(stmt, stmt->getBody());
  const Piece outcome = loopCondition(stmt, stmt->getCond());
  out_.close(" while (" + outcome.text + ");");
}

/// The head of a range-for. (The variable's own range reaches to the end of what it goes over.)
void FragmentEmitter::openRange(const clang::CXXForRangeStmt* stmt, const Piece& range) {
  const clang::VarDecl* variable = stmt->getLoopVariable();
  const unsigned end = source_.offset(stmt->getColonLoc());
  if (!hidesConst(variable)) {
    out_.open("for (" + declarationText(variable, end).text + " : ", range, ")");
    return;
  }
  const std::string item = "fdg_item" + std::to_string(number(stmt));
  out_.open("for (auto&& " + item + " : ", range, ")");
  Piece made = writtenText(variable, end);
  made.text += " = " + item;
  out_.copy("", madeAnew(made, {variable}), ";");
}

void FragmentEmitter::rangeLoop(const clang::CXXForRangeStmt* stmt) {
  if (const Piece init = initialiser(stmt->getInit()); !init.text.empty()) {
    out_.copy(init);
  }
  const Boundary* choice = choiceAt(stmt);
  if (choice != nullptr) {
    choice->tellsLength() ? countedRangeLoop(stmt, *choice) : steppedRangeLoop(stmt, *choice);
    return;
  }
  openRange(stmt, source_.exact(stmt->getRangeInit()));
  loopBody(stmt, stmt->getBody());
  out_.close();
}

/// Items of a range that another fragment has are made of nothing, until they cross.
void FragmentEmitter::itemsApart(const clang::CXXForRangeStmt* stmt) {
  if (const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(stmt->getLoopVariable())) {
    for (const clang::BindingDecl* binding : bindings->bindings()) {
      declare(binding);
    }
  }
}

/// The owner of the range tells before each step whether there is one.
void FragmentEmitter::steppedRangeLoop(const clang::CXXForRangeStmt* stmt, const Boundary& more) {
  const std::string steps = "fdg_steps" + std::to_string(number(stmt));
  const Piece range = source_.exact(stmt->getRangeInit());
  const Piece outcome = condition(stmt, {steps + ".more()", range.line});
  if (isConsumer(more)) {
    out_.open("while (", outcome, ")");
    itemsApart(stmt);
    loopBody(stmt, stmt->getBody(), stmt->getLoopVariable());
    out_.close();
    return;
  }
  const std::string held = "fdg_range" + std::to_string(number(stmt));
  out_.copy("auto&& " + held + " = ", range, ";");
  out_.open("for (::fdg::host::Steps " + steps + "(" + held + "); ", outcome,
            "; " + steps + ".next())");
  const clang::VarDecl* variable = stmt->getLoopVariable();
  const unsigned end = source_.offset(stmt->getColonLoc());
  const bool anew = hidesConst(variable);
  Piece item = anew ? writtenText(variable, end) : declarationText(variable, end);
  item.text += " = " + steps + ".item()";
  out_.copy("", anew ? madeAnew(item, {variable}) : item, ";");
  loopBody(stmt, stmt->getBody());
  out_.close();
}

/// The owner of the range tells its length; the others go round that often, without its elements.
void FragmentEmitter::countedRangeLoop(const clang::CXXForRangeStmt* stmt, const Boundary& length) {
  const std::string suffix = std::to_string(number(stmt));
  const std::string id = std::to_string(length.info.id);
  const Piece range = source_.exact(stmt->getRangeInit());
  if (isConsumer(length)) {
    const std::string left = "fdg_left" + suffix;
    out_.open("for (int64_t " + left + " = ",
              {"co_await fdg_ports.ask<int64_t>(" + id + ")", range.line},
              "; " + left + " > 0; --" + left + ")");
    itemsApart(stmt);
    loopBody(stmt, stmt->getBody(), stmt->getLoopVariable());
  } else {
    out_.copy("auto&& fdg_range" + suffix + " = ", range, ";");
    const std::string tell =
        "co_await fdg_ports.tell(" + id + ", ::fdg::host::lengthOf(fdg_range" + suffix + "));";
    if (length.info.only_for_drain >= 0) {
      out_.line("if (!fdg_ports.drained(" + std::to_string(length.info.only_for_drain) + ")) " +
                tell);
    } else {
      out_.line(tell);
    }
    openRange(stmt, {"fdg_range" + suffix, range.line});
    loopBody(stmt, stmt->getBody());
  }
  out_.close();
}

}  // namespace fdg::compiler
