// A term of a reduction → whether all its floating-point tensors are finite.
//
// A reduction of several terms looks for itself; a single term comes back unchanged, so whoever has
// the only one asks here. Any thread. Costs one pass over the numbers.
#pragma once

#include "core/Finite.h"
#include "fdg/fragment.h"

namespace fdg::host {

using value::isFinite;
bool isFinite(const Box& term);

}  // namespace fdg::host
