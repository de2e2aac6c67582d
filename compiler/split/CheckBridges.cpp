#include "compiler/split/CheckBridges.h"

#include <deque>

#include "clang/AST/ExprCXX.h"
#include "compiler/read/Types.h"
#include "compiler/split/PartStatement.h"

namespace fdg::compiler {
namespace {

class Checker {
 public:
  Checker(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics)
      : graph_(graph), assignment_(assignment), diagnostics_(diagnostics), groups_(graph) {
    for (int n = 0; n < graph.nodes.size(); ++n) {
      if (otherRole(n).second != nullptr && !parting(n).values.empty()) {
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

  Parting parting(int n) const {
    FreeNames names(graph_.program);
    return partStatement(graph_, groups_, n, /*all=*/false, names);
  }

  void refuse(int n, const Component& first, const Component& second) {
    const SourceText source(*graph_.program.context);
    CutEdits edits;
    applyParting(graph_, n, parting(n), annotation, edits);
    const TextRange whole = source.wholeStatement(graph_.nodes[n].stmt);
    const clang::SourceLocation start =
        graph_.program.sources().getLocForStartOfFile(graph_.program.sources().getMainFileID());
    const auto range =
        clang::CharSourceRange::getCharRange(start.getLocWithOffset(static_cast<int>(whole.begin)),
                                             start.getLocWithOffset(static_cast<int>(whole.end)));
    diagnostics_.report(graph_.nodes.place(n), Message::two_components_joined)
        << first.variable << second.variable << first.role << second.role
        << clang::FixItHint::CreateReplacement(range, edits.lines().apply(source.file(), whole));
  }

  /// What an environment or an actor gives, or is computed from arguments, has rows.
  static std::vector<std::string> annotation(const TakenOut& value) {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(value.expression);
    const std::string role = roleOf(value.component->getType());
    const bool rows =
        role == "environment" || role == "actor" || (call != nullptr && call->getNumArgs() > 0);
    return {std::string("fdg::partition(fdg::") + (rows ? "gather" : "broadcast") + ", " +
            value.name + ");"};
  }

  const Graph& graph_;
  const Assignment& assignment_;
  Diagnostics& diagnostics_;
  ComponentGroups groups_;
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
