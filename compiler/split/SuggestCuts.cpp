#include "compiler/split/SuggestCuts.h"

#include <deque>

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "compiler/read/CannotCross.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

/// Whether a statement calls a method with "grad" in its name.
class AsksForGradients final : public clang::RecursiveASTVisitor<AsksForGradients> {
 public:
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const auto* method = call->getMethodDecl();
    found |= method != nullptr && method->getNameAsString().find("grad") != std::string::npos;
    return true;
  }
  bool found = false;
};

class Suggester {
 public:
  Suggester(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
            Diagnostics& diagnostics)
      : graph_(graph), assignment_(assignment), layouts_(layouts), diagnostics_(diagnostics) {}

  void suggest() {
    groupComponents();
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.kind == NodeKind::statement && node.header < 0 && groupOf(n) != nullptr &&
          llvm::isa_and_nonnull<clang::CompoundStmt>(node.block)) {
        suggestBehind(n);
      }
    }
  }

 private:
  using Object = const clang::ValueDecl*;

  /// Components that one statement touches stay together.
  void groupComponents() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      Object first = nullptr;
      for (const Touch& touch : graph_.at(n).touches) {
        leader_.emplace(touch.object, touch.object);
        if (first != nullptr) {
          leader_[find(touch.object)] = find(first);
        }
        first = first == nullptr ? touch.object : first;
      }
    }
  }
  Object find(Object object) const {
    while (leader_.at(object) != object) {
      object = leader_.at(object);
    }
    return object;
  }
  Object groupOf(int n) const {
    return graph_.at(n).touches.empty() ? nullptr : find(graph_.at(n).touches.front().object);
  }

  /// Another group's statement uses the definition, directly or through statements of no component.
  bool crosses(int definition, Object group) const {
    std::set<int> seen;
    std::deque<int> open = {definition};
    while (!open.empty()) {
      const int d = open.front();
      open.pop_front();
      for (const int e : seen.insert(d).second ? graph_.data.out_of[static_cast<size_t>(d)]
                                               : std::vector<int>()) {
        const int user = graph_.edge(e).node;
        const Object other = groupOf(user);
        if (other != nullptr && other != group) {
          return true;
        }
        if (other == nullptr) {
          const auto& made = graph_.data.defined_by[static_cast<size_t>(user)];
          open.insert(open.end(), made.begin(), made.end());
        }
      }
    }
    return false;
  }

  bool givesGradients(int n) const {
    AsksForGradients gradients;
    gradients.TraverseStmt(const_cast<clang::Stmt*>(graph_.nodes[n].stmt));
    for (const Touch& touch : graph_.at(n).touches) {
      for (const Component& component : assignment_.components) {
        if (component.variable == touch.object && component.role == "learner") {
          return gradients.found;
        }
      }
    }
    return false;
  }

  void suggestBehind(int n) {
    const bool gradients = givesGradients(n);
    std::string values;
    bool share = false;
    for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
      const Definition& definition = graph_.definition(d);
      const bool used = !graph_.data.out_of[static_cast<size_t>(d)].empty();
      if (definition.how == Access::How::assign && used &&
          !whyCannotCross(definition.variable->getType()) &&
          (gradients || crosses(d, groupOf(n)))) {
        values += ", " + definition.variable->getNameAsString();
        share |= layouts_.of_definition[static_cast<size_t>(d)] == Layout::share;
      }
    }
    const clang::SourceLocation end = behind(graph_.nodes[n].stmt);
    if (values.empty() || end.isInvalid()) {
      return;
    }
    const std::string call = std::string("fdg::partition(fdg::") +
                             (gradients ? "reduce_mean"
                              : share   ? "gather"
                                        : "broadcast") +
                             values + ");";
    const auto column = graph_.program.sources().getSpellingColumnNumber(graph_.nodes.place(n));
    diagnostics_.report(graph_.nodes.place(n), Message::cut_suggested)
        << call
        << clang::FixItHint::CreateInsertion(end, "\n" + std::string(column - 1, ' ') + call);
  }

  /// Just behind the statement's semicolon.
  clang::SourceLocation behind(const clang::Stmt* stmt) const {
    if (stmt->getBeginLoc().isMacroID() || stmt->getEndLoc().isMacroID()) {
      return {};
    }
    return llvm::isa<clang::DeclStmt>(stmt)
               ? stmt->getEndLoc().getLocWithOffset(1)
               : clang::Lexer::findLocationAfterToken(stmt->getEndLoc(), clang::tok::semi,
                                                      graph_.program.sources(),
                                                      graph_.program.context->getLangOpts(), false);
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const Layouts& layouts_;
  Diagnostics& diagnostics_;
  std::map<Object, Object> leader_;
};

}  // namespace

void suggestCuts(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                 Diagnostics& diagnostics) {
  Suggester(graph, assignment, layouts, diagnostics).suggest();
}

}  // namespace fdg::compiler
