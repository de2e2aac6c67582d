// A piece of a tensor of every term → the same piece of their reduction, and whose is not finite.
//
// The same bits as value::reduceTensors makes of the whole tensors, provided that pieces begin at
// multiples of transport::kFoldAlignment within them. Float and double sums and means in one pass
// each over what lies in the caches; the rest by reduceTensors itself. Any thread.
#pragma once

#include <cstddef>
#include <span>

#include "base/Manifest.h"
#include "fdg/terms.h"

namespace fdg::host {

/// What all pieces of a reduction have in common.
struct FoldRule {
  OperationKind operation = OperationKind::reduce_sum;
  std::vector<double> weights;  ///< Of each term; for reduce_mean.
};

/// Writes `bytes` to `to`, which overlaps no term. The index of the first term that is not finite:
/// what was written then means nothing; else transport::kNobody.
size_t foldPiece(const FoldRule& rule, at::ScalarType type, std::span<const std::byte* const> terms,
                 std::byte* to, size_t bytes);

}  // namespace fdg::host
