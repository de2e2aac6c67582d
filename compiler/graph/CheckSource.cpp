#include "compiler/graph/CheckSource.h"

#include <set>

#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;

/// Where the head of a control statement ends: its closing parenthesis, or the brace of its body.
std::vector<clang::SourceLocation> headOf(const clang::Stmt* control) {
  std::vector<clang::SourceLocation> places = {control->getBeginLoc()};
  if (const auto* branch = dyn_cast<clang::IfStmt>(control)) {
    places.push_back(branch->getRParenLoc());
  } else if (const auto* choice = dyn_cast<clang::SwitchStmt>(control)) {
    places.push_back(choice->getRParenLoc());
  } else if (const auto* counted = dyn_cast<clang::ForStmt>(control)) {
    places.push_back(counted->getRParenLoc());
  } else if (const auto* range = dyn_cast<clang::CXXForRangeStmt>(control)) {
    places.push_back(range->getRParenLoc());
  } else if (const auto* loop = dyn_cast<clang::WhileStmt>(control)) {
    places.push_back(loop->getRParenLoc());
  } else if (const auto* loop_do = dyn_cast<clang::DoStmt>(control)) {
    places.push_back(loop_do->getRParenLoc());
  }
  if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(bodyOf(control))) {
    places.push_back(block->getLBracLoc());
  }
  return places;
}

/// What stands in the parentheses of a head, apart; null: that part is left out.
std::vector<const clang::Stmt*> partsOf(const clang::Stmt* control) {
  if (const auto* branch = dyn_cast<clang::IfStmt>(control)) {
    return {branch->getInit(), branch->getCond()};
  }
  if (const auto* choice = dyn_cast<clang::SwitchStmt>(control)) {
    return {choice->getInit(), choice->getCond()};
  }
  if (const auto* counted = dyn_cast<clang::ForStmt>(control)) {
    return {counted->getInit(), counted->getCond(), counted->getInc()};
  }
  if (const auto* range = dyn_cast<clang::CXXForRangeStmt>(control)) {
    return {range->getInit(), range->getLoopVarStmt(), range->getRangeInit()};
  }
  return {};
}

/// A jump that leaves the statement.
const clang::Stmt* jumpOutOf(const clang::Stmt* stmt, bool breaks, bool continues) {
  if (stmt == nullptr || llvm::isa<clang::LambdaExpr>(stmt)) {
    return nullptr;
  }
  if (llvm::isa<clang::ReturnStmt>(stmt) || (breaks && llvm::isa<clang::BreakStmt>(stmt)) ||
      (continues && llvm::isa<clang::ContinueStmt>(stmt))) {
    return stmt;
  }
  const bool loop =
      llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt);
  const bool choice = llvm::isa<clang::SwitchStmt>(stmt);
  for (const clang::Stmt* child : stmt->children()) {
    if (const auto* jump = jumpOutOf(child, breaks && !loop && !choice, continues && !loop)) {
      return jump;
    }
  }
  return nullptr;
}

class Checker {
 public:
  Checker(const Program& program, const Nodes& nodes, Diagnostics& diagnostics)
      : program_(program), nodes_(nodes), diagnostics_(diagnostics) {}

  void check() {
    for (int n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      const auto place = program_.sources().getExpansionLoc(node.stmt->getBeginLoc());
      if (!program_.sources().isWrittenInMainFile(place)) {
        diagnostics_.report(place, Message::refused_include);
      } else if (node.kind == NodeKind::condition) {
        checkHead(node.stmt);
      } else {
        checkStatement(node);
      }
    }
  }

 private:
  std::string macroAt(clang::SourceLocation place) const {
    return clang::Lexer::getImmediateMacroName(place, program_.sources(),
                                               program_.context->getLangOpts())
        .str();
  }

  void checkHead(const clang::Stmt* control) {
    for (const clang::SourceLocation place : headOf(control)) {
      if (place.isMacroID()) {
        refuseHead(place);
        return;
      }
    }
    std::set<clang::SourceLocation> uses;
    for (const clang::Stmt* part : partsOf(control)) {
      const auto place = part == nullptr ? clang::SourceLocation() : part->getBeginLoc();
      if (place.isMacroID() && !uses.insert(program_.sources().getExpansionLoc(place)).second) {
        refuseHead(place);
        return;
      }
    }
  }
  void refuseHead(clang::SourceLocation place) {
    const auto use = program_.sources().getExpansionLoc(place);
    diagnostics_.report(use, Message::refused_macro_header) << outermostMacro(place);
    said_.insert(use);
  }

  void checkStatement(const Node& node) {
    const clang::SourceLocation begin = node.stmt->getBeginLoc();
    if (!begin.isMacroID()) {
      return;
    }
    const auto use = program_.sources().getExpansionLoc(begin);
    if (!uses_.insert(use).second) {
      if (said_.insert(use).second) {
        diagnostics_.report(use, Message::refused_macro_several) << outermostMacro(begin);
      }
      return;
    }
    const clang::Stmt* jump = program_.isOneMacro(node.stmt) && node.kind == NodeKind::statement
                                  ? jumpOutOf(node.stmt, true, true)
                                  : nullptr;
    if (jump != nullptr) {
      diagnostics_.report(use, Message::refused_macro_jump)
          << outermostMacro(begin)
          << (llvm::isa<clang::ReturnStmt>(jump)  ? "return"
              : llvm::isa<clang::BreakStmt>(jump) ? "break"
                                                  : "continue");
    }
  }

  /// The name of the macro as it is used in the function, not of one inside it.
  std::string outermostMacro(clang::SourceLocation place) const {
    const clang::SourceManager& sources = program_.sources();
    while (sources.getImmediateMacroCallerLoc(place).isMacroID()) {
      place = sources.getImmediateMacroCallerLoc(place);
    }
    return macroAt(place);
  }

  const Program& program_;
  const Nodes& nodes_;
  Diagnostics& diagnostics_;
  std::set<clang::SourceLocation> uses_, said_;
};

}  // namespace

bool checkSource(const Program& program, const Nodes& nodes, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  Checker(program, nodes, diagnostics).check();
  return diagnostics.errors() == before;
}

}  // namespace fdg::compiler
