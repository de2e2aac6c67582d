// Whether a boundary can be drained, and by which statements of each consumer.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/split/Assignment.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

struct DrainBlocks {
  std::string refusal;  ///< Empty: drainable. Else why not, a sentence.
  std::map<int, std::vector<int>>
      of;  ///< By consumer: the nodes of the block's statements, in order.
  std::map<int, std::set<int>> covered;  ///< By consumer: all nodes inside them.
};

DrainBlocks findDrainBlocks(const Graph& graph, const Assignment& assignment, const Split& split,
                            const Boundary& boundary);

/// Whether a place in the source lies in a statement.
bool standsIn(const Graph& graph, clang::SourceLocation place, const clang::Stmt* stmt);

/// The definitions that a boundary's values are.
std::set<int> definitionsOf(const Graph& graph, const Assignment& assignment,
                            const Boundary& boundary);

}  // namespace fdg::compiler
