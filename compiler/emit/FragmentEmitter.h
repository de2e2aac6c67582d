// One fragment of a split program → its coroutine, as C++ text.
//
// Whole statements are copied as the user wrote them; control statements are rebuilt around the
// statements that the fragment keeps, with the user's conditions. Annotations become sends,
// receives and exchanges, conditions of other fragments become questions, loops get a header that
// the runtime can end.
//
//   for (int64_t step = 0; step < cfg.steps; ++step) {        auto fdg_loop4 = fdg_ports.loop(4);
//     auto action = actor.act(obs);                      →    try {
//     fdg::partition(fdg::scatter, action);                     for (…; fdg_loop4.more(step <
//     cfg.steps); …) { obs = envs.step(action);                                    if (!co_await
//     fdg_loop4.next()) { break; }
//   }                                                             torch::Tensor action{};
//                                                                 co_await fdg_ports.receive(1,
//                                                                 action); obs = envs.step(action);
//
// Everything that it is given must have passed CheckSplit; it refuses nothing. One thread.
#pragma once

#include <map>
#include <set>
#include <string>

#include "compiler/emit/CodeWriter.h"
#include "compiler/emit/LogFinder.h"
#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

class FragmentEmitter {
 public:
  FragmentEmitter(const Program& program, const Split& split, int fragment, CodeWriter& out);

  /// The function's body without its braces.
  void emitBody();

 private:
  // Which statements: FragmentEmitter.cpp.
  void statement(const clang::Stmt* stmt);
  void branch(const clang::Stmt* body);
  void kept(const clang::Stmt* stmt);
  void declaration(const clang::DeclStmt* stmt);
  void declare(const clang::Decl* decl);
  Piece emptyVariable(const clang::Decl* decl) const;
  bool isAssigned(const clang::ValueDecl* variable) const;
  Piece declarationText(const clang::DeclStmt* stmt) const;
  Piece declarationText(const clang::VarDecl* variable, unsigned end) const;
  Piece writtenText(const clang::VarDecl* variable, unsigned end) const;
  bool hidesConst(const clang::VarDecl* variable) const;
  Piece madeAnew(const Piece& declaration,
                 const std::vector<const clang::VarDecl*>& declared) const;
  std::string typeText(const clang::ValueDecl* variable) const;
  void label(const clang::SwitchCase* label);
  std::string announcement(const clang::Stmt* part, const clang::Stmt* numbered) const;
  bool keeps(const clang::Stmt* stmt) const { return part_.keeps.contains(stmt); }
  bool keepsPart(const clang::Stmt* part_of_header) const;
  bool holdsAnything(const clang::Stmt* stmt) const;

  // Boundaries: EmitBoundary.cpp.
  void annotation(const clang::Stmt* place);
  void boundary(const Boundary& boundary);
  void receive(const Boundary& boundary);
  bool mayDrainIn(const clang::Stmt* loop) const;
  void registerDrains(const clang::Stmt* loop);
  bool isProducer(const Boundary& b) const { return b.info.producer == id_; }
  bool isConsumer(const Boundary& b) const;
  bool mayDrain(const Boundary& b) const;
  const Boundary* choiceAt(const clang::Stmt* control) const;
  std::string valueList(const Boundary& b) const;
  bool exchanges(const Boundary& b) const;

  // Control statements: EmitControl.cpp.
  void control(const clang::Stmt* stmt);
  void ifStatement(const clang::IfStmt* stmt);
  void switchStatement(const clang::SwitchStmt* stmt);
  void loop(const clang::Stmt* stmt);
  void loopInside(const clang::Stmt* stmt);
  void forLoop(const clang::ForStmt* stmt);
  void whileLoop(const clang::WhileStmt* stmt);
  void doLoop(const clang::DoStmt* stmt);
  void rangeLoop(const clang::CXXForRangeStmt* stmt);
  void openRange(const clang::CXXForRangeStmt* stmt, const Piece& range);
  void countedRangeLoop(const clang::CXXForRangeStmt* stmt, const Boundary& length);
  void steppedRangeLoop(const clang::CXXForRangeStmt* stmt, const Boundary& more);
  void itemsApart(const clang::CXXForRangeStmt* stmt);
  void loopBody(const clang::Stmt* loop, const clang::Stmt* body,
                const clang::Decl* variable = nullptr);
  /// The condition as this fragment evaluates it; `text` is what the user wrote.
  Piece condition(const clang::Stmt* control, Piece text, const std::string& type = "bool") const;
  void checkpoint(const clang::Stmt* loop);
  Piece loopCondition(const clang::Stmt* loop, const clang::Expr* condition) const;
  /// A declaration or expression in a header: written in front, or given back to be part of the
  /// header.
  Piece initialiser(const clang::Stmt* init);
  void variableCondition(const clang::Stmt* loop, const clang::VarDecl* variable);
  std::string loopName(const clang::Stmt* loop) const;
  int number(const clang::Stmt* stmt) const;

  const Program& program_;
  const Split& split_;
  const FragmentPart& part_;
  int id_;
  SourceText source_;
  LogFinder logging_;
  CodeWriter& out_;
  int loop_depth_ = 0;
  bool in_drain_block_ = false;  // a lambda: nothing can be awaited
  bool directly_in_switch_ = false;
  std::set<const clang::Stmt*> already_emitted_;  // statements of drain blocks
  std::set<const clang::ValueDecl*> assigned_;    // from outside: they cannot stay const
  std::map<const clang::ValueDecl*, std::string> spelled_types_;
};

}  // namespace fdg::compiler
