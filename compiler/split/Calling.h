// Drain blocks → whether the producer's thread may run them (mode inline), while the consumer's
// goes on with its own statements.
//
// It may where all that they use are the message, what they declare themselves, and components that
// say that several threads may use them at a time. Pure; cost: a look at each node of the blocks.
#pragma once

#include <string>

#include "compiler/split/Draining.h"

namespace fdg::compiler {

/// A sentence; empty: it may. What cannot be drained cannot be called, for the same reason.
std::string whyNotCallable(const Graph& graph, const Assignment& assignment,
                           const Boundary& boundary, const DrainBlocks& blocks);

}  // namespace fdg::compiler
