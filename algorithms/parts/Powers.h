// x^exponent of many values at once, for priorities and importance weights.
//
// Relative error below 1e-14 for exponents in [-1, 1]; exact for exponents 0 and 1; 0 to a negative
// power is infinity. The bits are the same on every machine and wherever a value stands in the
// batch. x ≥ 0 and finite. Pure; any thread. About 3 ns a value with AVX-512.
#pragma once

#include <span>

namespace fdg::rl {

/// `to` may be `from`.
void powers(std::span<const double> from, double exponent, std::span<double> to);

}  // namespace fdg::rl
