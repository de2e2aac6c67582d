// Gradients: what learners exchange, and a step of an optimizer by it.
#pragma once

#include "algorithms/parts/Optimizer.h"
#include "fdg/fdg.h"

namespace fdg::rl {

/// Derivative of a mean loss by all parameters, and that loss.
struct Gradients {
  torch::Tensor flat;  ///< [parameters] float32.
  double loss = 0;
};

/// One step of Adam or RmsProp; `max_norm` ≤ 0 does not clip.
template <class Optimizer>
void step(Optimizer& optimizer, const Gradients& gradients, double learning_rate, double max_norm,
          std::vector<float>& parameters) {
  const torch::Tensor flat = gradients.flat.contiguous();
  optimizer.step({flat.data_ptr<float>(), static_cast<size_t>(flat.numel())}, learning_rate,
                 max_norm, parameters);
}

}  // namespace fdg::rl
