// Refuses statements like `actor.load(learner.weights())`: two components of different roles in one
// statement, which nothing else joins, so that no annotation could stand between them (language.md,
// "Accepted subset").
//
//   before: actor.load(learner.weights());
//   fix-it: auto weights = learner.weights();
//           fdg::partition(fdg::broadcast, weights);
//           actor.load(weights);
// Only where the program has annotations, and where the statement can be taken apart; others join
// their components for good. True if nothing was refused.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/split/Assignment.h"

namespace fdg::compiler {

bool checkBridges(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics);

}  // namespace fdg::compiler
