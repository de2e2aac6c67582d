#include "algorithms/parts/LambdaReturns.h"

namespace fdg::rl {

void estimateReturns(const GaeInput& row, double gamma, double lambda, float* target) {
  double next = 0;
  for (int64_t t = row.steps; t-- > 0;) {
    const bool last = t + 1 == row.steps || row.ended[t];
    const double value = row.next_value[t];
    next = row.reward[t] + gamma * (last ? value : (1 - lambda) * value + lambda * next);
    target[t] = static_cast<float>(next);
  }
}

}  // namespace fdg::rl
