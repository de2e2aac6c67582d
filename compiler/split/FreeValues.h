// Common value → whether everyone can compute it, and whoever does gets the same: then nothing has
// to cross.
//
// It must depend on free values alone, also in what decides whether its definitions run (unless that
// decides about the annotation too: whoever comes there knows it), and not on run.rows, which
// differs between replicas. Expects shares to be assigned. Cost: a walk back.
#pragma once

#include "compiler/split/Assignment.h"

namespace fdg::compiler {

bool isFreeValue(const Graph& graph, const Assignment& assignment, const CommonValue& value);

}  // namespace fdg::compiler
