// Nodes and effects → value edges: from each definition to each use it reaches (language.md, rules
// 2 and 3).
//
// Reaching definitions over the structured code. An annotation is a killing definition of its
// values. A write through a handle is a weak definition of every variable that may share its
// storage; storage is told apart by the definitions it comes from (`roots`). Cost: a few walks per
// nested loop.
#pragma once

#include <set>
#include <vector>

#include "compiler/graph/Effects.h"

namespace fdg::compiler {

struct Definition {
  int node = -1;
  const clang::ValueDecl* variable = nullptr;
  const clang::FieldDecl* field = nullptr;
  Access::How how = Access::How::assign;
  bool annotation = false;
  clang::SourceLocation place;
};

struct Edge {
  int definition = -1;
  int node = -1;  ///< Where it is used.
  clang::SourceLocation place;
  const clang::FieldDecl* field = nullptr;  ///< Only this field is read.
  bool latest = false;
  bool writes = false;   ///< The use is part of a write to the same variable.
  bool carried = false;  ///< Around a loop: the use stands before the definition.

  auto key() const { return std::tuple(definition, node, place.getRawEncoding(), writes); }
  bool operator<(const Edge& other) const { return key() < other.key(); }
};

struct DataEdges {
  std::vector<Definition> definitions;
  std::vector<Edge> edges;
  std::vector<std::vector<int>> into;        ///< By node: indices of edges.
  std::vector<std::vector<int>> out_of;      ///< By definition.
  std::vector<std::vector<int>> defined_by;  ///< By node: its definitions.
  /// By definition: the definitions that made the storage it may refer to.
  std::vector<std::set<int>> roots;
};

DataEdges findDataEdges(const Program& program, const Nodes& nodes, const ProgramEffects& effects);

}  // namespace fdg::compiler
