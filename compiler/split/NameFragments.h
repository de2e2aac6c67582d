// Connected groups of elements → fragments: numbered in the order of the program, named by the
// roles of their components (language.md, "How the function is split", rule 4).
//
// `group_of` gives the group of an element of the assignment. Fills in the owner of each node,
// value and component, and the names. Cost: one walk over the elements.
#pragma once

#include <functional>

#include "compiler/split/Assignment.h"

namespace fdg::compiler {

void nameFragments(const Graph& graph, const std::function<int(int)>& group_of,
                   Assignment& assignment);

}  // namespace fdg::compiler
