#include "compiler/split/SeparateComponents.h"

#include <algorithm>

#include "clang/AST/StmtCXX.h"
#include "compiler/split/Accumulations.h"
#include "compiler/split/ComponentCalls.h"
#include "compiler/split/PartStatement.h"

namespace fdg::compiler {
namespace {

using Object = ComponentGroups::Object;

/// Does more than to take what a call gives. What a component gives in a header stays where it
/// is: behind it there may be no place for an annotation.
bool computes(const Graph& graph, const ComponentGroups& groups, int n) {
  const auto& into = graph.data.into[static_cast<size_t>(n)];
  return soleCall(graph, groups, n) == nullptr &&
         std::none_of(into.begin(), into.end(), [&](int e) {
           const int made = graph.definition(graph.edge(e).definition).node;
           const Node& node = graph.nodes[made];
           return !groups.of(made).empty() &&
                  (node.header >= 0 || node.kind == NodeKind::condition);
         });
}

/// No component keeps a statement whose result crosses and is more than one call's.
bool takesAll(const Graph& graph, const ComponentGroups& groups, int n) {
  if (!computes(graph, groups, n) || graph.nodes[n].kind != NodeKind::statement) {
    return false;
  }
  const auto crossings = findCrossings(graph, groups);
  return std::any_of(crossings.begin(), crossings.end(), [&](const Crossing& crossing) {
    return graph.definition(crossing.definition).node == n &&
           loopThatCollects(graph, groups, crossing.definition) < 0;
  });
}

class StatementParts {
 public:
  StatementParts(const Graph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics), groups_(graph) {}

  CutEdits part() {
    joinInseparable(
        graph_, groups_, [&](int n, const std::set<Object>& together, const std::string& why) {
          diagnostics_.report(graph_.nodes.place(n), Message::components_stay_together)
              << groups_.names(together) << "this statement cannot be taken apart: " + why;
        });
    FreeNames names(graph_.program);
    for (const int n : candidates()) {
      const Parting parting =
          partStatement(graph_, groups_, n, takesAll(graph_, groups_, n), names);
      if (parting.values.empty()) {
        continue;
      }
      std::string text;
      for (const TakenOut& value : parting.values) {
        text += (text.empty() ? "" : " ") + ("auto " + value.name + " = " + value.call + ";");
      }
      diagnostics_.report(graph_.nodes.place(n), Message::statement_parted) << text;
      applyParting(
          graph_, n, parting, [](const TakenOut&) { return std::vector<std::string>(); }, edits_);
    }
    return std::move(edits_);
  }

 private:
  /// Statements of several groups, and those that compute something of what a component gave before
  /// it crosses: rows are to cross as the component gave them.
  std::set<int> candidates() const {
    std::set<int> found;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      if (groups_.of(n).size() > 1) {
        found.insert(n);
      }
    }
    for (const Crossing& crossing : findCrossings(graph_, groups_)) {
      const int n = graph_.definition(crossing.definition).node;
      if (crossing.from != nullptr && computes(graph_, groups_, n) &&
          loopThatCollects(graph_, groups_, crossing.definition) < 0) {
        found.insert(n);
      }
    }
    return found;
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  ComponentGroups groups_;
  CutEdits edits_;
};

}  // namespace

void joinInseparable(
    const Graph& graph, ComponentGroups& groups,
    const std::function<void(int, const std::set<Object>&, const std::string&)>& say) {
  for (int n = 0; n < graph.nodes.size(); ++n) {
    const std::set<Object> together = groups.of(n);
    if (together.size() < 2) {
      continue;
    }
    FreeNames scratch(graph.program);
    const Parting parting = partStatement(graph, groups, n, takesAll(graph, groups, n), scratch);
    if (!parting.why_not.empty()) {
      say(n, together, parting.why_not);
      for (Object object : together) {
        groups.join(*together.begin(), object);
      }
      n = -1;  // what could be taken apart before may look otherwise now
    }
  }
}

CutEdits separateComponents(const Graph& graph, Diagnostics& diagnostics) {
  return StatementParts(graph, diagnostics).part();
}

}  // namespace fdg::compiler
