#include "runtime/transport/Apart.h"

#include <ATen/ops/empty_strided.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/InferenceMode.h>

#include "runtime/transport/Copying.h"
#include "runtime/transport/Packing.h"

namespace fdg::transport {
namespace {

/// Nobody else can reach its memory: neither through another handle or view, nor because it is
/// someone's own (a tensor over a buffer of an environment, say).
bool isAlone(const at::Tensor& t) {
  return t.use_count() == 1 && t.storage().use_count() == 1 && !t.requires_grad() &&
         !t.is_inference() &&
         t.storage().data_ptr().get_deleter() == c10::GetCPUAllocator()->raw_deleter();
}

at::Tensor copied(const at::Tensor& t) {
  at::Tensor copy = at::empty_strided(t.sizes(), t.strides(), t.options());
  copyOut(static_cast<std::byte*>(copy.mutable_data_ptr()),
          static_cast<const std::byte*>(t.const_data_ptr()),
          static_cast<size_t>(elementsSpanned(t)) * t.element_size());
  return copy;
}

}  // namespace

void setApart(value::Parts& parts) {
  // Tensors that are made under torch::InferenceMode could not be learned from.
  const c10::InferenceMode normal(false);
  for (at::Tensor& tensor : parts.tensors) {
    if (!tensor.defined()) {
      continue;
    }
    at::Tensor travelling = plainTensor(tensor);
    tensor.reset();
    tensor = isAlone(travelling) ? std::move(travelling) : copied(travelling);
  }
}

}  // namespace fdg::transport
