#include "algorithms/parts/LambdaReturns.h"

namespace fdg::rl {

void lambdaReturns(const GaeInput& row, double gamma, double lambda, float* returns) {
  double later = 0;
  for (int64_t t = row.steps; t-- > 0;) {
    const bool last = row.ended[t] || t + 1 == row.steps;
    const double next = row.next_value[t];
    later = row.reward[t] + gamma * (last ? next : (1 - lambda) * next + lambda * later);
    returns[t] = static_cast<float>(later);
  }
}

}  // namespace fdg::rl
