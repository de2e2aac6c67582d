// Tensors on the CPU that are about to be written, without the dispatcher: a step of few cheap rows
// would spend most of its time there. Any thread.
#pragma once

#include <ATen/EmptyTensor.h>
#include <torch/torch.h>

namespace fdg::rl {

/// Not initialised.
inline torch::Tensor freshTensor(torch::IntArrayRef shape, torch::ScalarType type) {
  return at::detail::empty_cpu(shape, type);
}

}  // namespace fdg::rl
