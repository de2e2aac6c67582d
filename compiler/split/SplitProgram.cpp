#include "compiler/split/SplitProgram.h"

#include "compiler/graph/CheckMarks.h"
#include "compiler/graph/CheckSource.h"
#include "compiler/graph/Graph.h"
#include "compiler/read/CheckSubset.h"
#include "compiler/split/AssignFragments.h"
#include "compiler/split/CheckBridges.h"
#include "compiler/split/CheckCrossing.h"
#include "compiler/split/CheckSplit.h"
#include "compiler/split/ExplainPath.h"
#include "compiler/split/Layouts.h"
#include "compiler/split/Needs.h"
#include "compiler/split/ProveFacts.h"
#include "compiler/split/RemarkFacts.h"
#include "compiler/split/SpreadChoices.h"
#include "compiler/split/SuggestCuts.h"

namespace fdg::compiler {

std::optional<Split> splitProgram(const Program& program, const SplitOptions& /*options*/,
                                  Diagnostics& diagnostics) {
  if (!checkSubset(program, diagnostics)) {
    return std::nullopt;
  }
  Nodes nodes = buildNodes(program);
  if (!checkSource(program, nodes, diagnostics) || !checkMarks(program, diagnostics)) {
    return std::nullopt;
  }
  ProgramEffects effects = collectEffects(program, nodes);
  DataEdges data = findDataEdges(program, nodes, effects);
  const Graph graph{program, nodes, std::move(effects), std::move(data), ControlEdges(nodes)};
  const auto assignment = assignFragments(graph, diagnostics);
  if (!assignment) {
    return std::nullopt;
  }
  const Needs needs = findNeeds(graph, *assignment);
  const Layouts layouts = inferLayouts(graph, *assignment, needs);
  if (program.annotations.empty()) {
    suggestCuts(graph, *assignment, layouts, diagnostics);
  }
  const bool bridges = checkBridges(graph, *assignment, diagnostics);
  if (!checkCrossing(graph, *assignment, layouts, diagnostics) || !bridges) {
    return std::nullopt;
  }
  auto split = spreadChoices(graph, *assignment, needs, diagnostics);
  if (!split) {
    return std::nullopt;
  }
  remarkJoinedRoles(graph, *assignment, diagnostics);
  proveFacts(graph, *assignment, layouts, *split);
  remarkFacts(graph, *assignment, layouts, *split, diagnostics);
  checkSplit(graph, *assignment, *split);
  return split;
}

}  // namespace fdg::compiler
