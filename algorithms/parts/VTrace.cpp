#include "algorithms/parts/VTrace.h"

#include <algorithm>
#include <cmath>

#include "base/Check.h"

namespace fdg::rl {

void vTrace(const GaeInput& row, const float* log_ratio, const VTraceOptions& options,
            float* target, float* advantage) {
  if (!(options.rho_limit >= options.c_limit)) {
    throw UserError("V-trace: rho_limit must be at least c_limit");
  }
  double correction = 0;  // v_{t+1} − V(s_{t+1})
  for (int64_t t = row.steps; t-- > 0;) {
    const double ratio = std::exp(static_cast<double>(log_ratio[t]));
    const double rho = std::min(options.rho_limit, ratio);
    const double c = options.lambda * std::min(options.c_limit, ratio);
    if (row.ended[t]) {
      correction = 0;
    }
    const double value = row.value[t];
    const double next = row.next_value[t];
    const double error = row.reward[t] + options.gamma * next - value;
    advantage[t] = static_cast<float>(rho * (error + options.gamma * correction));
    correction = rho * error + options.gamma * c * correction;
    target[t] = static_cast<float>(value + correction);
  }
}

}  // namespace fdg::rl
