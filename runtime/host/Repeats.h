// Repeats: what `pack` gathered over iterations ↔ the same with each frame of its images once.
//
// Neighbouring rows of stacked frames have all frames but one in common, and successors of states
// are states. Of tensors with three dimensions or more a slice, what the last two span, is sent
// once and its places instead; what comes out is what went in, bit for bit. Messages in which less
// than half repeats stay as they are, like slices below 256 bytes and tensors that are not
// contiguous. Throws UserError for what shareRepeats did not write. Any thread. About 4 µs for a
// slice of 84 × 84 bytes.
#pragma once

#include "fdg/pack.h"

namespace fdg::host {

void shareRepeats(value::Parts& parts);
void restoreRepeats(value::Parts& parts);

}  // namespace fdg::host
