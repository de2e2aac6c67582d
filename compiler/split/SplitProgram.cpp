#include "compiler/split/SplitProgram.h"

#include <memory>

#include "compiler/graph/CheckSource.h"
#include "compiler/graph/Graph.h"
#include "compiler/read/CheckSubset.h"
#include "compiler/split/AssignFragments.h"
#include "compiler/split/CheckBridges.h"
#include "compiler/split/CheckCrossing.h"
#include "compiler/split/CheckOutside.h"
#include "compiler/split/CheckSplit.h"
#include "compiler/split/ExplainPath.h"
#include "compiler/split/FindCarried.h"
#include "compiler/split/Layouts.h"
#include "compiler/split/Needs.h"
#include "compiler/split/OpenHeaders.h"
#include "compiler/split/PlaceAnnotations.h"
#include "compiler/split/ProveFacts.h"
#include "compiler/split/RemarkFacts.h"
#include "compiler/split/SeparateComponents.h"
#include "compiler/split/SpreadChoices.h"

namespace fdg::compiler {
namespace {

std::unique_ptr<const Graph> buildGraph(const Program& program, Diagnostics& diagnostics) {
  if (!checkSubset(program, diagnostics)) {
    return nullptr;
  }
  Nodes nodes = buildNodes(program);
  if (!checkSource(program, nodes, diagnostics)) {
    return nullptr;
  }
  ProgramEffects effects = collectEffects(program, nodes);
  DataEdges data = findDataEdges(program, nodes, effects);
  return std::unique_ptr<const Graph>(
      new Graph{program, std::move(nodes), std::move(effects), std::move(data)});
}

}  // namespace

std::optional<CutEdits> cutAlongComponents(const Program& program, CutStep step,
                                           Diagnostics& diagnostics) {
  const auto graph = buildGraph(program, diagnostics);
  if (!graph) {
    return std::nullopt;
  }
  switch (step) {
    case CutStep::open_headers:
      return openHeaders(*graph, diagnostics);
    case CutStep::separate_components:
      return separateComponents(*graph, diagnostics);
    case CutStep::place_annotations:
      return placeAnnotations(*graph, diagnostics);
  }
  return std::nullopt;
}

std::optional<Split> splitProgram(const Program& program, Diagnostics& diagnostics) {
  const auto built = buildGraph(program, diagnostics);
  if (!built) {
    return std::nullopt;
  }
  const Graph& graph = *built;
  const auto assignment = assignFragments(graph, diagnostics);
  if (!assignment) {
    return std::nullopt;
  }
  const Needs needs = findNeeds(graph, *assignment);
  const Layouts layouts = inferLayouts(graph, *assignment, needs);
  const bool bridges = checkBridges(graph, *assignment, diagnostics);
  const bool apart = checkOutside(graph, *assignment, diagnostics);
  if (!checkCrossing(graph, *assignment, layouts, diagnostics) || !bridges || !apart) {
    return std::nullopt;
  }
  auto split = spreadChoices(graph, *assignment, needs, diagnostics);
  if (!split) {
    return std::nullopt;
  }
  remarkJoinedRoles(graph, *assignment, diagnostics);
  proveFacts(graph, *assignment, layouts, *split);
  findCarried(graph, *split);
  remarkFacts(graph, *assignment, layouts, *split, diagnostics);
  checkSplit(graph, *assignment, *split);
  return split;
}

}  // namespace fdg::compiler
