// A tensor → whether all its numbers are finite; what is not floating point is. Any thread. One pass
// at the speed of memory, where `at::isfinite` makes four tensors on the way.
#pragma once

#include <torch/torch.h>

namespace fdg::value {

bool isFinite(const at::Tensor& tensor);
/// Throws the UserError of a reduction whose term of this number is not finite.
[[noreturn]] void refuseNotFinite(size_t term);

}  // namespace fdg::value
