// Shows why two elements are in one fragment: the chain of statements and components between them,
// as notes.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/split/Assignment.h"

namespace fdg::compiler {

void explainPath(const Graph& graph, const Assignment& assignment, const std::vector<int>& path,
                 Diagnostics& diagnostics);

/// Says, as remarks, which fragments hold several roles and what joins them.
void remarkJoinedRoles(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics);

}  // namespace fdg::compiler
