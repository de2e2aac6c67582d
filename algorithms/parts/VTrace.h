// V-trace: a rollout of an older policy → targets of the value function and advantages for a policy
// gradient of the present one (Espeholt et al. 2018, IMPALA, section 4.1).
//
// With the ratio w_t = π(a_t|s_t) / μ(a_t|s_t) of the learner's policy to the actor's,
// ρ_t = min(ρ̄, w_t), c_t = λ min(c̄, w_t) and δ_t = ρ_t (r_t + γ V(s_{t+1}) − V(s_t)):
//   v_t = V(s_t) + δ_t + γ c_t (v_{t+1} − V(s_{t+1})),   A_t = ρ_t (r_t + γ v_{t+1} − V(s_t)),
// both cut where an episode ends: there, and at the last step, v_{t+1} is V(s_{t+1}). On-policy
// (w = 1, ρ̄ = c̄ = 1) v_t are the λ-returns. Pure. Summed in float64, one pass.
#pragma once

#include "algorithms/parts/Gae.h"

namespace fdg::rl {

struct VTraceOptions {
  double gamma = 0.99;
  double lambda = 1;
  double rho_limit = 1;  ///< ρ̄: decides which policy's values are learned. At least c_limit.
  double c_limit = 1;    ///< c̄: decides how fast.
};

/// `log_ratio`: log w_t. Writes `row.steps` numbers to each of `target` and `advantage`; throws
/// UserError for ρ̄ < c̄, for which the targets have no fixed point.
void vTrace(const GaeInput& row, const float* log_ratio, const VTraceOptions& options,
            float* target, float* advantage);

}  // namespace fdg::rl
