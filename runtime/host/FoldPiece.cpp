#include "runtime/host/FoldPiece.h"

#include "core/AddTerms.h"
#include "core/Finite.h"
#include "runtime/transport/Folding.h"

namespace fdg::host {
namespace {

at::Tensor over(const std::byte* data, at::ScalarType type, size_t bytes) {
  const auto count = static_cast<int64_t>(bytes / at::elementSize(type));
  return at::from_blob(const_cast<std::byte*>(data), {count}, type);
}

size_t foldTensors(const FoldRule& rule, at::ScalarType type,
                   std::span<const std::byte* const> terms, std::byte* to, size_t bytes) {
  std::vector<at::Tensor> pieces;
  for (const std::byte* term : terms) {
    pieces.push_back(over(term, type, bytes));
    if (!value::isFinite(pieces.back())) {
      return pieces.size() - 1;
    }
  }
  over(to, type, bytes).copy_(value::reduceTensors(rule.operation, pieces, rule.weights));
  return transport::kNobody;
}

}  // namespace

size_t foldPiece(const FoldRule& rule, at::ScalarType type, std::span<const std::byte* const> terms,
                 std::byte* to, size_t bytes) {
  if (value::canAdd(rule.operation, type)) {
    const size_t refused = value::addTerms(rule.operation, type, terms, rule.weights, to, bytes);
    return refused < terms.size() ? refused : transport::kNobody;
  }
  return foldTensors(rule, type, terms, to, bytes);
}

}  // namespace fdg::host
