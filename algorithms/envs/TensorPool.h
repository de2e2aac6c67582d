// TensorPool: tensors of one shape and type for what is made at every step, each a new one or one
// that nobody looks at any more.
//
// To make and free a tensor takes as long as a step of a cheap environment. take() gives away what
// it has made before once the pool alone holds it, and its memory: who keeps a tensor or a view of
// it keeps its numbers. Any thread may let go of a tensor; take() is for one.
#pragma once

#include <vector>

#include "algorithms/envs/FreshTensor.h"

namespace fdg::rl {

class TensorPool {
 public:
  TensorPool(std::vector<int64_t> shape, torch::ScalarType type)
      : shape_(std::move(shape)), type_(type) {}

  /// On the CPU, contiguous, not initialised, nobody else's.
  torch::Tensor take();

 private:
  std::vector<int64_t> shape_;
  torch::ScalarType type_;
  std::vector<torch::Tensor> made_;
};

}  // namespace fdg::rl
