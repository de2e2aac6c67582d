// Generalised advantage estimation (Schulman et al. 2016) over the steps of one environment.
//
// δ_t = r_t + γ V(s_{t+1}) − V(s_t);  A_t = δ_t + γλ A_{t+1}, cut where an episode ends. The
// caller gives `next_value` as what the step leads to: 0 where it terminated, the value of the
// *final* observation where it was truncated. Pure. Summed in float64, one pass.
#pragma once

#include <cstdint>

namespace fdg::rl {

/// One row: `steps` numbers each.
struct GaeInput {
  int64_t steps = 0;
  const float* reward = nullptr;
  const float* value = nullptr;
  const float* next_value = nullptr;
  const bool* ended = nullptr;  ///< Terminated or truncated by this step.
};

void estimateAdvantages(const GaeInput& row, double gamma, double lambda, float* advantage);

}  // namespace fdg::rl
