#include "compiler/split/SplitProgram.h"

#include "compiler/graph/Graph.h"
#include "compiler/split/AssignFragments.h"
#include "compiler/split/SpreadChoices.h"

namespace fdg::compiler {

std::optional<Split> splitProgram(const Program& program, const SplitOptions& /*options*/, Diagnostics& diagnostics) {
  Nodes nodes = buildNodes(program);
  ProgramEffects effects = collectEffects(program, nodes);
  DataEdges data = findDataEdges(program, nodes, effects);
  const Graph graph{program, nodes, std::move(effects), std::move(data), ControlEdges(nodes)};
  const auto assignment = assignFragments(graph, diagnostics);
  if (!assignment) {
    return std::nullopt;
  }
  return spreadChoices(graph, *assignment, diagnostics);
}

}  // namespace fdg::compiler
