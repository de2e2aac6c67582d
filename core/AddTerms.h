// A run of numbers of each term → their sum or weighted mean, and whose is not finite.
//
// Terms are added in their order, and a mean is Σ wᵢ·tᵢ / Σ wᵢ: bit by bit what at::add_, at::mul and
// at::div_ make of them, in one pass for each term. Any thread.
#pragma once

#include <cstddef>
#include <span>

namespace fdg::value {

/// Writes `bytes` of T, float or double, to `to`, which overlaps no term. Two terms or more; without
/// weights their sum. The number of the first term that is not finite: what was written then means
/// nothing; else that of terms.
template <class T>
size_t addTerms(std::span<const std::byte* const> terms, std::span<const double> weights,
                std::byte* to, size_t bytes);

}  // namespace fdg::value
