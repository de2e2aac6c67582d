#include "compiler/split/ExplainPath.h"

#include <set>
#include <tuple>

namespace fdg::compiler {
namespace {

/// What a note says: the way through a value passes its statement twice.
using Step = std::tuple<int, Message, const clang::ValueDecl*>;

/// `Net online, target;`
bool declaresSeveral(const clang::Stmt* stmt) {
  const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(stmt);
  return declaration != nullptr && !declaration->isSingleDecl();
}

void noteStep(const Graph& graph, const Assignment& assignment, int from, int to,
              Diagnostics& diagnostics, std::set<Step>& said) {
  for (const Link& link : assignment.links) {
    if (!(link.a == from && link.b == to) && !(link.a == to && link.b == from)) {
      continue;
    }
    const int node = from < assignment.nodes ? from : to;
    if (node >= assignment.nodes) {
      return;
    }
    const clang::Expr* condition = conditionOf(graph.nodes[node].stmt);
    const std::string text =
        graph.program.text(condition != nullptr ? condition : graph.nodes[node].stmt);
    const Message message = link.object && declaresSeveral(graph.nodes[node].stmt)
                                             ? Message::note_path_declares
                            : link.object    ? Message::note_path_object
                            : link.a == node ? Message::note_path_defines
                                             : Message::note_path_uses;
    if (said.insert({node, message, link.variable}).second) {
      diagnostics.report(graph.nodes.place(node), message) << text << link.variable;
    }
    return;
  }
}

}  // namespace

void explainPath(const Graph& graph, const Assignment& assignment, const std::vector<int>& path,
                 Diagnostics& diagnostics) {
  std::set<Step> said;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    noteStep(graph, assignment, path[i], path[i + 1], diagnostics, said);
  }
}

void remarkJoinedRoles(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics) {
  for (int f = 0; f < assignment.fragments(); ++f) {
    const Component* first = nullptr;
    std::set<std::string> said;
    for (const Component& component : assignment.components) {
      if (component.fragment != f || component.role.empty()) {
        continue;
      }
      first = first == nullptr ? &component : first;
      if (component.role == first->role || !said.insert(component.role).second) {
        continue;
      }
      diagnostics.report(component.variable->getLocation(), Message::roles_joined)
          << first->role + "' and '" + component.role;
      explainPath(graph, assignment, assignment.path(first->element, component.element),
                  diagnostics);
    }
  }
}

}  // namespace fdg::compiler
