// A run of numbers of each term → their sum or weighted mean, and whose is not finite.
//
// Terms are added in their order, and a mean is Σ wᵢ·tᵢ / Σ wᵢ: bit by bit what at::add_, at::mul and
// at::div_ make of them, in one pass for each term. Any thread.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <span>

#include "base/Manifest.h"

namespace fdg::value {

/// Sums and means of float and double.
bool canAdd(OperationKind how, at::ScalarType type);

/// Where canAdd: writes `bytes` to `to`, which overlaps no term. Two terms or more; weights count for
/// a mean, which without any is a sum. The number of the first term that is not finite: what was
/// written then means nothing; else that of terms.
size_t addTerms(OperationKind how, at::ScalarType type, std::span<const std::byte* const> terms,
                std::span<const double> weights, std::byte* to, size_t bytes);

}  // namespace fdg::value
