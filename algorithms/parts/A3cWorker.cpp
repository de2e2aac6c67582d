#include "algorithms/parts/A3cWorker.h"

#include <algorithm>

#include "fdg/rows.h"

namespace fdg::rl {

RowGradients A3cWorker::gradients(const Weights& weights, const Rollout& rollout) {
  std::vector<float> parameters;
  copyParameters(weights, gradient_.layout(), parameters);
  const int64_t rows = rollout.reward.size(0);
  RowGradients found = {torch::empty({rows, gradient_.layout().parameters()}, torch::kFloat32),
                        torch::empty({rows}, torch::kFloat32)};
  // Not torch::zeros, which wakes several threads for a tensor of this size.
  std::fill_n(found.flat.data_ptr<float>(), found.flat.numel(), 0.0f);
  for (int64_t r = 0; r < rows; ++r) {
    const Rollout row = contiguous(value::sliceRows(rollout, r, r + 1));
    float* gradient = found.flat.data_ptr<float>() + r * found.flat.size(1);
    found.loss.data_ptr<float>()[r] = static_cast<float>(gradient_.find(parameters, row, gradient));
  }
  return found;
}

}  // namespace fdg::rl
