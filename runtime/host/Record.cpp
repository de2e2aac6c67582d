#include "runtime/host/Record.h"

namespace fdg::host {

uint64_t hashOf(const NamedTensors& tensors) {
  value::Hasher hasher;
  for (const auto& [name, tensor] : tensors) {
    hasher.bytes(name.data(), name.size());
    hasher.tensor(tensor);
  }
  return hasher.value();
}

std::vector<double> numbersOf(const value::Parts& parts, size_t most) {
  std::vector<double> numbers;
  for (const at::Tensor& tensor : parts.tensors) {
    if (!tensor.defined() || !tensor.is_floating_point()) {
      continue;
    }
    const at::Tensor flat = tensor.detach().to(at::kCPU).to(at::kDouble).contiguous().view(-1);
    const auto* data = static_cast<const double*>(flat.const_data_ptr());
    for (int64_t i = 0; i < flat.numel() && numbers.size() < most; ++i) {
      numbers.push_back(data[i]);
    }
  }
  return numbers;
}

}  // namespace fdg::host
