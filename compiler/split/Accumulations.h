// What a loop collects → the loop behind which all of it can cross at once.
//
//   for (auto& env : envs) { all.push_back(env.reset()); }   // one annotation behind the loop,
//   actor.act(all);                                          // not one in each round
//
// Cost: a walk over the edges.
#pragma once

#include "compiler/split/ComponentGroups.h"

namespace fdg::compiler {

/// The outermost loop (its condition node) that only adds to the definition's variable, and uses it
/// for nothing but the group that does; -1: there is none.
int loopThatCollects(const Graph& graph, const ComponentGroups& groups, int definition);

}  // namespace fdg::compiler
