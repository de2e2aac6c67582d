#include "runtime/host/Finite.h"

#include <algorithm>

namespace fdg::host {

bool isFinite(const Box& term) {
  value::Parts parts;
  term.ops().pack(term.data(), parts);
  return std::ranges::all_of(parts.tensors, [](const at::Tensor& t) { return isFinite(t); });
}

}  // namespace fdg::host
