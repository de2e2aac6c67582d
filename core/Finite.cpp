#include "core/Finite.h"

#include <cstdint>
#include <span>
#include <string>

#include "base/Check.h"

namespace fdg::value {
namespace {

/// Exponents with all bits set are NaN or infinite. Without branches, so that it runs at the speed
/// of memory.
template <class Bits>
bool hasOnly(const void* data, int64_t count, Bits exponent) {
  Bits found = 0;
  for (const Bits bits : std::span(static_cast<const Bits*>(data), static_cast<size_t>(count))) {
    found |= static_cast<Bits>((bits & exponent) == exponent);
  }
  return found == 0;
}

}  // namespace

bool isFinite(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_floating_point()) {
    return true;
  }
  if (tensor.is_cpu() && tensor.is_contiguous()) {
    if (tensor.scalar_type() == at::kFloat) {
      return hasOnly<uint32_t>(tensor.const_data_ptr(), tensor.numel(), 0x7F800000u);
    }
    if (tensor.scalar_type() == at::kDouble) {
      return hasOnly<uint64_t>(tensor.const_data_ptr(), tensor.numel(), 0x7FF0000000000000u);
    }
  }
  return at::isfinite(tensor).all().item<bool>();
}

void refuseNotFinite(size_t term) {
  throw UserError("the term of replica " + std::to_string(term) +
                  " in a reduction is not finite (NaN or infinity)");
}

}  // namespace fdg::value
