#include "algorithms/parts/Gae.h"

namespace fdg::rl {

void estimateAdvantages(const GaeInput& row, double gamma, double lambda, float* advantage) {
  double next = 0;
  for (int64_t t = row.steps; t-- > 0;) {
    const double delta = row.reward[t] + gamma * row.next_value[t] - row.value[t];
    next = delta + (row.ended[t] ? 0 : gamma * lambda * next);
    advantage[t] = static_cast<float>(next);
  }
}

}  // namespace fdg::rl
