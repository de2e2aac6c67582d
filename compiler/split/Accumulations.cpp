#include "compiler/split/Accumulations.h"

#include <algorithm>

namespace fdg::compiler {
namespace {

using Object = ComponentGroups::Object;

class Collector {
 public:
  Collector(const Graph& graph, const ComponentGroups& groups, const Definition& definition)
      : graph_(graph),
        groups_(groups),
        variable_(definition.variable),
        group_(groups.of(definition.node)) {}

  bool collects(int loop) const { return !declaredIn(loop) && onlyIn(loop); }

 private:
  bool declaredIn(int loop) const {
    const clang::SourceManager& sources = graph_.program.sources();
    const clang::Stmt* stmt = graph_.nodes[loop].stmt;
    const auto place = variable_->getLocation();
    return !sources.isBeforeInTranslationUnit(place, stmt->getBeginLoc()) &&
           !sources.isBeforeInTranslationUnit(stmt->getEndLoc(), place);
  }

  /// Every statement of the loop that reads or writes the variable is one of the group's.
  bool onlyIn(int loop) const {
    const auto isOwn = [&](int node) {
      return graph_.nodes[node].kind == NodeKind::statement && groups_.of(node) == group_;
    };
    for (const Edge& edge : graph_.data.edges) {
      if (graph_.definition(edge.definition).variable == variable_ && within(edge.node, loop) &&
          !isOwn(edge.node)) {
        return false;
      }
    }
    return std::ranges::all_of(graph_.data.definitions, [&](const Definition& other) {
      return other.variable != variable_ || !within(other.node, loop) || isOwn(other.node);
    });
  }

  bool within(int node, int loop) const {
    return node == loop || graph_.nodes.isInside(node, loop);
  }

  const Graph& graph_;
  const ComponentGroups& groups_;
  const clang::ValueDecl* variable_;
  std::set<Object> group_;
};

}  // namespace

int loopThatCollects(const Graph& graph, const ComponentGroups& groups, int definition) {
  const Definition& made = graph.definition(definition);
  if (made.how != Access::How::update || graph.nodes[made.node].header >= 0 ||
      groups.of(made.node).size() != 1) {
    return -1;
  }
  const Collector collector(graph, groups, made);
  int found = -1;
  for (int loop = graph.nodes[made.node].loop; loop >= 0 && collector.collects(loop);
       loop = graph.nodes[loop].loop) {
    found = loop;
  }
  return found;
}

}  // namespace fdg::compiler
