// V-trace (Espeholt et al. 2018, section 4.1): values and advantages for a policy π from the steps
// of one environment that another, μ, has taken.
//
// With ratios ρ_t = min(ρ̄, π/μ) and c_t = λ min(c̄, π/μ), and δ_t = ρ_t (r_t + γ V(s_{t+1}) −
// V(s_t)): v_t = V(s_t) + δ_t + γ c_t (v_{t+1} − V(s_{t+1})), and A_t = ρ_t (r_t + γ v_{t+1} −
// V(s_t)). Where an episode or the input ends v_{t+1} is V(s_{t+1}): `next_value` as in Gae.h.
// Pure. Summed in float64, one pass.
#pragma once

#include "algorithms/parts/Gae.h"

namespace fdg::rl {

struct VtraceOptions {
  double gamma = 0.99;
  double lambda = 1;
  double rho_bar = 1;  ///< Largest weight of an error.
  double c_bar = 1;    ///< Largest weight of what comes after a step.
};

/// log_ratio: log π(a_t | s_t) − log μ(a_t | s_t), `row.steps` numbers; so are the results.
void estimateVtrace(const GaeInput& row, const float* log_ratio, const VtraceOptions& options,
                    float* value, float* advantage);

}  // namespace fdg::rl
