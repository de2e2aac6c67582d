#include "algorithms/parts/Vtrace.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {

void estimateVtrace(const GaeInput& row, const float* log_ratio, const VtraceOptions& options,
                    float* value, float* advantage) {
  double beyond = 0;  // v_{t+1} − V(s_{t+1})
  for (int64_t t = row.steps; t-- > 0;) {
    beyond = row.ended[t] ? 0 : beyond;
    const double ratio = std::exp(static_cast<double>(log_ratio[t]));
    const double rho = std::min(options.rho_bar, ratio);
    const double c = options.lambda * std::min(options.c_bar, ratio);
    const double error = row.reward[t] + options.gamma * row.next_value[t] - row.value[t];
    advantage[t] = static_cast<float>(rho * (error + options.gamma * beyond));
    beyond = rho * error + options.gamma * c * beyond;
    value[t] = static_cast<float>(row.value[t] + beyond);
  }
}

}  // namespace fdg::rl
