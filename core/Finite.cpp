#include "core/Finite.h"

#include <span>
#include <string>

#include "base/Check.h"
#include "base/Finite.h"

namespace fdg::value {
namespace {

template <class T>
bool isFiniteAs(const at::Tensor& tensor) {
  const auto* numbers = static_cast<const T*>(tensor.const_data_ptr());
  return allFinite(std::span(numbers, static_cast<size_t>(tensor.numel())));
}

}  // namespace

bool isFinite(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_floating_point()) {
    return true;
  }
  if (tensor.is_cpu() && tensor.is_contiguous()) {
    if (tensor.scalar_type() == at::kFloat) {
      return isFiniteAs<float>(tensor);
    }
    if (tensor.scalar_type() == at::kDouble) {
      return isFiniteAs<double>(tensor);
    }
  }
  return at::isfinite(tensor).all().item<bool>();
}

void refuseNotFinite(size_t term) {
  throw UserError("the term of replica " + std::to_string(term) +
                  " in a reduction is not finite (NaN or infinity)");
}

}  // namespace fdg::value
