#include "algorithms/envs/TensorPool.h"

namespace fdg::rl {
namespace {

/// As many as some steps on their way through boundaries hold; more are not kept.
constexpr size_t kMost = 8;

bool isFree(const torch::Tensor& tensor) {
  return tensor.getIntrusivePtr().unique() && tensor.storage().unique();
}

}  // namespace

torch::Tensor TensorPool::take() {
  for (torch::Tensor& tensor : made_) {
    if (!isFree(tensor)) {
      continue;
    }
    // Who had it may have made something else of it, in place.
    if (tensor.sizes() != shape_ || !tensor.is_contiguous() || tensor.requires_grad()) {
      tensor = freshTensor(shape_, type_);
    }
    return tensor;
  }
  torch::Tensor tensor = freshTensor(shape_, type_);
  if (made_.size() < kMost) {
    made_.push_back(tensor);
  }
  return tensor;
}

}  // namespace fdg::rl
