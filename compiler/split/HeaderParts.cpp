#include "compiler/split/HeaderParts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Expr;
using clang::Stmt;
using Goes = HeaderPart::Goes;

class Taker {
 public:
  Taker(const Graph& graph, int node)
      : graph_(graph),
        node_(node),
        control_(graph.nodes[node].header < 0 ? node : graph.nodes[node].header),
        stmt_(graph.nodes[control_].stmt),
        source_(*graph.program.context) {}

  HeaderPart take() {
    const Node& node = graph_.nodes[node_];
    if (stmt_->getBeginLoc().isMacroID()) {
      refuse("a macro makes it; write the macro out");
    } else if (node.header < 0) {
      takeCondition();
    } else if (node.increment) {
      takeIncrement(llvm::cast<Expr>(node.stmt));
    } else {
      takeInit(node.stmt);
    }
    if (part_.goes == Goes::before) {
      checkAttributes();
    } else if (part_.goes == Goes::last) {
      checkBody();
    }
    return std::move(part_);
  }

 private:
  void refuse(const std::string& why) {
    part_.why_not = part_.why_not.empty() ? why : part_.why_not;
  }

  std::string textOf(clang::SourceRange range) {
    const std::string text = source_.exact(range).text;
    if (!canMove(text)) {
      refuse("it has comments, strings or directives on several lines; write it on one line");
    }
    return text;
  }

  /// `a, b` is two statements.
  void addExpression(const Expr* expression) {
    const auto* pair = dyn_cast<clang::BinaryOperator>(expression->IgnoreParens());
    if (pair != nullptr && pair->isCommaOp()) {
      addExpression(pair->getLHS());
      addExpression(pair->getRHS());
    } else {
      part_.statements.push_back(textOf(expression->getSourceRange()) + ";");
    }
  }

  void takeInit(const Stmt* init) {
    part_.goes = Goes::before;
    part_.taken = source_.wholeStatement(init);
    part_.left = llvm::isa<clang::ForStmt>(stmt_) ? ";" : "";
    const llvm::StringRef behind = source_.file().drop_front(part_.taken.end);
    part_.taken.end += part_.left.empty() ? behind.size() - behind.ltrim(' ').size() : 0;
    if (const auto* expression = dyn_cast<Expr>(init)) {
      addExpression(expression);
    } else {
      const std::string text = textOf(init->getSourceRange());
      part_.statements.push_back(text + (text.ends_with(';') ? "" : ";"));
    }
  }

  void takeIncrement(const Expr* increment) {
    part_.goes = Goes::last;
    part_.taken = source_.range(increment->getSourceRange());
    addExpression(increment);
  }

  void takeCondition() {
    const clang::VarDecl* variable = conditionVariable(stmt_);
    const Expr* condition = conditionOf(stmt_);
    const bool branches = llvm::isa<clang::IfStmt, clang::SwitchStmt>(stmt_);
    const bool loops = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(stmt_);
    if (condition == nullptr || (branches && variable == nullptr) || (!branches && !loops)) {
      const bool block = llvm::isa<clang::CompoundStmt>(bodyOf(stmt_));
      return refuse(block ? "the header of a range-for makes it; write an ordinary loop"
                          : "the header of a loop makes it, whose body has no braces; add them");
    }
    const clang::SourceRange range =
        variable != nullptr ? variable->getSourceRange() : condition->getSourceRange();
    const std::string text = textOf(range);
    part_.taken = source_.range(range);
    if (variable != nullptr) {
      part_.statements.push_back(text + ";");
    }
    if (branches) {
      part_.left = variable->getNameAsString();
      return;
    }
    part_.goes = llvm::isa<clang::DoStmt>(stmt_) ? Goes::last : Goes::first;
    part_.left = llvm::isa<clang::ForStmt>(stmt_) ? "" : "true";
    const std::string asked = variable != nullptr ? variable->getNameAsString() : text;
    const Expr* plain = condition->IgnoreUnlessSpelledInSource();
    const bool object = plain->getType().getNonReferenceType()->isRecordType();
    part_.statements.push_back((object ? "if (!static_cast<bool>(" : "if (!(") + asked +
                               ")) { break; }");
    checkIncrementFor(variable);
  }

  /// The variable of a loop's condition lives in the increment too, and not in the body's text.
  void checkIncrementFor(const clang::VarDecl* variable) {
    for (int n = control_ + 1; variable != nullptr && n <= graph_.nodes[control_].last; ++n) {
      const Node& node = graph_.nodes[n];
      if (node.header == control_ && node.increment && namedIn(node).count(variable) > 0) {
        refuse("the increment uses `" + variable->getNameAsString() +
               "`; write it as the last statement of the body");
      }
    }
  }

  /// An attribute is one of the statement that it stands before.
  void checkAttributes() {
    const llvm::StringRef before =
        source_.file().take_front(source_.offset(stmt_->getBeginLoc())).rtrim();
    if (before.ends_with("]")) {
      refuse("an attribute stands before this statement; make the value in a statement before it");
    }
  }

  void checkBody() {
    for (const auto& [jump, target] : jumpTargets(graph_.nodes)) {
      if (target == control_ && llvm::isa<clang::ContinueStmt>(jump)) {
        refuse("the `continue` at line " +
               std::to_string(graph_.program.line(jump->getBeginLoc())) +
               " leads to it; use an if instead of the `continue`");
      }
    }
    const auto* body = dyn_cast<clang::CompoundStmt>(bodyOf(stmt_));
    const std::set<const clang::ValueDecl*> named = namedIn(graph_.nodes[node_]);
    for (const Stmt* stmt : body == nullptr ? llvm::ArrayRef<Stmt*>()
                                            : llvm::ArrayRef(body->body_begin(), body->size())) {
      if (const auto* declaration = dyn_cast<clang::DeclStmt>(stmt)) {
        for (const clang::Decl* decl : declaration->decls()) {
          checkHidden(decl, named);
        }
      }
    }
  }

  void checkHidden(const clang::Decl* decl, const std::set<const clang::ValueDecl*>& named) {
    const auto* inner = dyn_cast<clang::NamedDecl>(decl);
    for (const clang::ValueDecl* outer : named) {
      if (inner != nullptr && inner->getNameAsString() == outer->getNameAsString()) {
        refuse("the body declares another `" + outer->getNameAsString() +
               "`; give one of them another name");
      }
    }
  }

  const Graph& graph_;
  int node_;
  int control_;
  const Stmt* stmt_;  ///< The control statement.
  SourceText source_;
  HeaderPart part_;
};

}  // namespace

HeaderPart headerPart(const Graph& graph, int node) { return Taker(graph, node).take(); }

bool standsInHeader(const Graph& graph, int node) {
  const Node& at = graph.nodes[node];
  const bool branch = llvm::isa<clang::IfStmt, clang::SwitchStmt>(at.stmt);
  return at.header >= 0 || isAskedAgain(at) ||
         (at.kind == NodeKind::condition && branch && conditionVariable(at.stmt) != nullptr);
}

bool isAskedAgain(const Node& node) {
  return node.is_loop && !llvm::isa<clang::CXXForRangeStmt>(node.stmt);
}

}  // namespace fdg::compiler
