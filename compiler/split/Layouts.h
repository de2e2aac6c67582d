// Assignment → layouts: which values differ between replicas for sure, which are the same for sure.
//
// `unknown` is the answer wherever a component could decide either way; nothing is refused on it.
// Source: language.md, "Operations". One fixpoint.
#pragma once

#include <vector>

#include "compiler/split/Assignment.h"
#include "compiler/split/Needs.h"

namespace fdg::compiler {

enum class Layout { whole, unknown, share };

struct Layouts {
  std::vector<Layout> of_definition;
  std::vector<Layout> of_node;   ///< What a statement or condition computes.
  std::vector<Layout> computed;  ///< The same, whoever decides whether it runs.
  std::vector<bool> from_rows;   ///< By node: copied everywhere, and depends on run.rows.
};

Layouts inferLayouts(const Graph& graph, const Assignment& assignment, const Needs& needs);

}  // namespace fdg::compiler
