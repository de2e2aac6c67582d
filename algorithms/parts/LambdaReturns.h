// λ-returns (Sutton and Barto 2018, section 12.1) over the steps of one environment.
//
// G_t = r_t + γ ((1 − λ) V(s_{t+1}) + λ G_{t+1}), from V(s_{t+1}) alone where an episode or the
// input ends. `next_value` as in Gae.h: 0 where the step terminated, the value of the *final*
// observation where it was truncated. Pure. Summed in float64, one pass.
#pragma once

#include "algorithms/parts/Gae.h"

namespace fdg::rl {

/// `row.value` is not read.
void estimateReturns(const GaeInput& row, double gamma, double lambda, float* target);

}  // namespace fdg::rl
