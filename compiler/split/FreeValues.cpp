#include "compiler/split/FreeValues.h"

#include <algorithm>
#include <set>

namespace fdg::compiler {
namespace {

/// Nodes that give the same to everyone who reaches a place of the program. What decides whether
/// that place is reached they know already.
class FreeNodes {
 public:
  FreeNodes(const Graph& graph, const Assignment& assignment, int place)
      : graph_(graph), assignment_(assignment), place_(place) {}

  bool holds(int node) {
    if (!seen_.insert(node).second) {
      return true;
    }
    if (assignment_.share[static_cast<size_t>(node)] != Share::free || graph_.at(node).reads_rows) {
      return false;
    }
    const auto& into = graph_.data.into[static_cast<size_t>(node)];
    return std::all_of(into.begin(), into.end(),
                       [&](int e) {
                         const Definition& definition =
                             graph_.definition(graph_.edge(e).definition);
                         return !definition.annotation && holds(definition.node);
                       }) &&
           conditionsHold(node) && jumpsHold(node);
  }

 private:
  bool conditionsHold(int node) {
    const int around = graph_.nodes[node].parent;
    const bool known = around < 0 || graph_.nodes.isInside(place_, around);
    return known || (holds(around) && conditionsHold(around));
  }

  bool jumpsHold(int node) {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const bool decides = graph_.nodes[n].kind == NodeKind::jump &&
                           graph_.control.governs(n, node) && !graph_.control.governs(n, place_);
      if (decides && !conditionsHold(n)) {
        return false;
      }
    }
    return true;
  }

  const Graph& graph_;
  const Assignment& assignment_;
  int place_;
  std::set<int> seen_;
};

}  // namespace

bool isFreeValue(const Graph& graph, const Assignment& assignment, const CommonValue& value) {
  const auto* variable = graph.definition(value.definition).variable;
  FreeNodes free(graph, assignment, value.node);
  const auto& into = graph.data.into[static_cast<size_t>(value.node)];
  return std::all_of(into.begin(), into.end(), [&](int e) {
    const Definition& definition = graph.definition(graph.edge(e).definition);
    return definition.variable != variable ||
           (!definition.annotation && free.holds(definition.node));
  });
}

}  // namespace fdg::compiler
