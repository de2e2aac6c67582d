// λ-returns over the steps of one environment (Sutton and Barto 2018, section 12.1).
//
// G_t = r_t + γ ((1 − λ) V(s_{t+1}) + λ G_{t+1}), which ends with r_t + γ V(s_{t+1}) where an episode
// does and at the last step. `next_value` as in Gae.h; λ = 1 sums all rewards of the row, λ = 0
// looks one step ahead. It is A_t + V(s_t) of Gae.h, without needing V(s_t). Pure. Summed in
// float64, one pass.
#pragma once

#include "algorithms/parts/Gae.h"

namespace fdg::rl {

/// `row.value` is not read and may be null. `returns`: `row.steps` numbers.
void lambdaReturns(const GaeInput& row, double gamma, double lambda, float* returns);

}  // namespace fdg::rl
