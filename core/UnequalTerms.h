// Terms of a reduction that differ in what their tensors are → a sentence that says which replica's
// differs, and how. Any thread.
#pragma once

#include <torch/torch.h>

#include <span>
#include <string>
#include <vector>

namespace fdg::value {

/// "Float [3, 4]".
std::string shapeText(at::ScalarType type, at::IntArrayRef sizes);
/// Likewise, "sparse" where it is; "nothing" for one that is not defined.
std::string shapeText(const at::Tensor& tensor);

/// Throws the UserError. A text for each tensor of each term; at least two terms differ.
[[noreturn]] void refuseUnequalTerms(std::span<const std::vector<std::string>> terms);

}  // namespace fdg::value
