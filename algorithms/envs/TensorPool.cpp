#include "algorithms/envs/TensorPool.h"

#include <atomic>

namespace fdg::rl {
namespace {

/// As many as some steps on their way through boundaries hold; more are not kept.
constexpr size_t kMost = 8;

/// LibTorch asks for the number of holders without any order (relaxed), and the last of the others may
/// have let go on another thread. Its release, which has an order, comes before this fence, and so
/// whatever it read of the numbers comes before they are written again.
bool isFree(const torch::Tensor& tensor) {
  const bool is_free = tensor.getIntrusivePtr().unique() && tensor.storage().unique();
  std::atomic_thread_fence(std::memory_order_acquire);
  return is_free;
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
