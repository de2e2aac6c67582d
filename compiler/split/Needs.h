// The fixpoint behind SpreadChoices: which nodes each fragment keeps, what it receives, what it
// must be told.
#pragma once

#include <set>
#include <vector>

#include "compiler/split/Assignment.h"

namespace fdg::compiler {

struct Needs {
  std::vector<std::set<int>> keeps;  ///< By fragment: nodes.
  std::vector<std::set<int>>
      receives;  ///< By common value: fragments other than its producer that read it.
  std::vector<bool>
      producer_reads;  ///< By common value: its producer reads it after the annotation.
  std::map<int, std::set<int>> asks;  ///< By condition node: fragments that need its outcome.
};

Needs findNeeds(const Graph& graph, const Assignment& assignment);

}  // namespace fdg::compiler
