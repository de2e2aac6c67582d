#include "compiler/split/CheckBridges.h"

#include <deque>

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

namespace fdg::compiler {
namespace {

const clang::ValueDecl* objectOf(const clang::CXXMemberCallExpr* call) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(
      call->getImplicitObjectArgument()->IgnoreUnlessSpelledInSource());
  return reference != nullptr ? reference->getDecl() : nullptr;
}

/// The calls on one component inside a statement, outermost first.
class CallsOn final : public clang::RecursiveASTVisitor<CallsOn> {
 public:
  explicit CallsOn(const clang::ValueDecl* object) : object_(object) {}
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    if (objectOf(call) == object_) {
      found.push_back(call);
    }
    return true;
  }
  std::vector<const clang::CXXMemberCallExpr*> found;

 private:
  const clang::ValueDecl* object_;
};

class Checker {
 public:
  Checker(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics)
      : graph_(graph), assignment_(assignment), diagnostics_(diagnostics) {
    for (int n = 0; n < graph.nodes.size(); ++n) {
      if (otherRole(n).second != nullptr) {
        bridges_.insert(n);
      }
    }
  }

  void check() {
    for (const int n : bridges_) {
      const auto [first, second] = otherRole(n);
      if (!connected(first->element, second->element)) {
        refuse(n, *first, *second);
      }
    }
  }

 private:
  /// Two components of different roles that a statement touches; the second is null if there are
  /// none.
  std::pair<const Component*, const Component*> otherRole(int n) const {
    const Component* first = nullptr;
    for (const Touch& touch : graph_.at(n).touches) {
      for (const Component& component : assignment_.components) {
        if (component.variable != touch.object || component.role.empty()) {
          continue;
        }
        if (touch.declares) {
          return {nullptr, nullptr};  // a component made from another: composition
        }
        if (first != nullptr && first->role != component.role) {
          return {first, &component};
        }
        first = first == nullptr ? &component : first;
      }
    }
    return {first, nullptr};
  }

  bool connected(int from, int to) const {
    std::set<int> seen = {from};
    std::deque<int> open = {from};
    while (!open.empty()) {
      const int at = open.front();
      open.pop_front();
      for (const Link& link : assignment_.links) {
        const int next = link.a == at ? link.b : link.b == at ? link.a : -1;
        if (next >= 0 && bridges_.count(next) == 0 && seen.insert(next).second) {
          open.push_back(next);
        }
      }
    }
    return seen.count(to) > 0;
  }

  void refuse(int n, const Component& first, const Component& second) {
    auto builder = diagnostics_.report(graph_.nodes.place(n), Message::two_components_joined);
    builder << first.variable << second.variable << first.role << second.role;
    if (graph_.nodes[n].kind == NodeKind::statement && graph_.nodes[n].header < 0) {
      for (const clang::FixItHint& hint : separation(graph_.nodes[n].stmt, first, second)) {
        builder << hint;
      }
    }
  }

  std::vector<clang::FixItHint> separation(const clang::Stmt* stmt, const Component& first,
                                           const Component& second) {
    // The call that stands inside the other one's arguments makes the value that crosses.
    const clang::CXXMemberCallExpr* inner = nullptr;
    for (const Component* component : {&second, &first}) {
      CallsOn calls(component->variable);
      calls.TraverseStmt(const_cast<clang::Stmt*>(stmt));
      if (!calls.found.empty() && calls.found.front() != outermost(stmt)) {
        inner = calls.found.front();
        break;
      }
    }
    const auto& context = *graph_.program.context;
    if (inner == nullptr || inner->getType()->isVoidType() || stmt->getBeginLoc().isMacroID() ||
        inner->getBeginLoc().isMacroID()) {
      return {};
    }
    const auto range = clang::CharSourceRange::getTokenRange(inner->getSourceRange());
    const std::string call =
        clang::Lexer::getSourceText(range, graph_.program.sources(), context.getLangOpts()).str();
    const std::string name = freeName(inner->getMethodDecl()->getNameAsString());
    const std::string indent(
        graph_.program.sources().getSpellingColumnNumber(stmt->getBeginLoc()) - 1, ' ');
    const char* operation = inner->getNumArgs() == 0 ? "broadcast" : "gather";
    return {clang::FixItHint::CreateInsertion(
                stmt->getBeginLoc(), "auto " + name + " = " + call + ";\n" + indent +
                                         "fdg::partition(fdg::" + operation + ", " + name + ");\n" +
                                         indent),
            clang::FixItHint::CreateReplacement(range, name)};
  }

  static const clang::CXXMemberCallExpr* outermost(const clang::Stmt* stmt) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(stmt);
    return expression != nullptr
               ? llvm::dyn_cast<clang::CXXMemberCallExpr>(expression->IgnoreImplicit())
               : nullptr;
  }

  std::string freeName(const std::string& wanted) const {
    std::set<std::string> taken;
    for (const Definition& definition : graph_.data.definitions) {
      taken.insert(definition.variable->getNameAsString());
    }
    for (const Component& component : assignment_.components) {
      taken.insert(component.variable->getNameAsString());
    }
    std::string name = wanted;
    for (int i = 2; taken.count(name) > 0; ++i) {
      name = wanted + std::to_string(i);
    }
    return name;
  }

  const Graph& graph_;
  const Assignment& assignment_;
  Diagnostics& diagnostics_;
  std::set<int> bridges_;
};

}  // namespace

bool checkBridges(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  if (!graph.program.annotations.empty()) {
    Checker(graph, assignment, diagnostics).check();
  }
  return diagnostics.errors() == before;
}

}  // namespace fdg::compiler
