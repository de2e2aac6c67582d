// The room's result: the training function as nodes, effects and edges.
#pragma once

#include "compiler/graph/ControlEdges.h"
#include "compiler/graph/DataEdges.h"
#include "compiler/graph/Effects.h"
#include "compiler/graph/Nodes.h"

namespace fdg::compiler {

struct Graph {
  const Program& program;
  Nodes nodes;
  ProgramEffects effects;
  DataEdges data;
  ControlEdges control{nodes};  ///< Refers to this graph's nodes: graphs are made in place.

  const Effects& at(int node) const { return effects.of[static_cast<size_t>(node)]; }
  const Definition& definition(int d) const { return data.definitions[static_cast<size_t>(d)]; }
  const Edge& edge(int e) const { return data.edges[static_cast<size_t>(e)]; }
  int line(int node) const { return program.line(nodes.place(node)); }
};

}  // namespace fdg::compiler
