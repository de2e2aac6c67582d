#include "runtime/host/FoldPiece.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "base/Finite.h"
#include "core/Finite.h"
#include "runtime/transport/Folding.h"

namespace fdg::host {
namespace {

/// As wide as the numbers, so that lanes fit.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

/// to = first · its weight + second · its weight, in one pass; bit 0: `first` is not finite, 1:
/// `second`.
template <class T, bool is_weighted>
unsigned addTwo(T* __restrict to, const T* first, const T* second, size_t count, T first_weight,
                T second_weight) {
  BitsOf<T> in_first = 0;
  BitsOf<T> in_second = 0;
  for (size_t i = 0; i < count; ++i) {
    in_first |= isNotFinite(first[i]) ? 1 : 0;
    in_second |= isNotFinite(second[i]) ? 1 : 0;
    to[i] =
        is_weighted ? first[i] * first_weight + second[i] * second_weight : first[i] + second[i];
  }
  return static_cast<unsigned>(in_first | in_second << 1);
}

/// to += term · weight; whether the term is finite.
template <class T, bool is_weighted>
bool addOne(T* __restrict to, const T* term, size_t count, T weight) {
  BitsOf<T> found = 0;
  for (size_t i = 0; i < count; ++i) {
    found |= isNotFinite(term[i]) ? 1 : 0;
    to[i] += is_weighted ? term[i] * weight : term[i];
  }
  return found == 0;
}

template <class T, bool is_weighted>
size_t addTerms(const FoldRule& rule, std::span<const std::byte* const> terms, std::byte* to,
                size_t bytes) {
  auto* sum = reinterpret_cast<T*>(to);
  const size_t count = bytes / sizeof(T);
  const auto term = [&](size_t i) { return reinterpret_cast<const T*>(terms[i]); };
  const auto weight = [&](size_t i) {
    return is_weighted ? static_cast<T>(rule.weights[i]) : T{1};
  };
  const unsigned found = addTwo<T, is_weighted>(sum, term(0), term(1), count, weight(0), weight(1));
  size_t refused = (found & 1) != 0 ? 0 : (found & 2) != 0 ? 1 : transport::kNobody;
  for (size_t i = 2; i < terms.size(); ++i) {
    if (!addOne<T, is_weighted>(sum, term(i), count, weight(i))) {
      refused = std::min(refused, i);
    }
  }
  if (is_weighted) {
    const auto total =
        static_cast<T>(std::accumulate(rule.weights.begin(), rule.weights.end(), 0.0));
    for (size_t i = 0; i < count; ++i) {
      sum[i] /= total;
    }
  }
  return refused;
}

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
  const bool is_mean = rule.operation == OperationKind::reduce_mean;
  if (is_mean || rule.operation == OperationKind::reduce_sum) {
    if (type == at::kFloat) {
      return is_mean ? addTerms<float, true>(rule, terms, to, bytes)
                     : addTerms<float, false>(rule, terms, to, bytes);
    }
    if (type == at::kDouble) {
      return is_mean ? addTerms<double, true>(rule, terms, to, bytes)
                     : addTerms<double, false>(rule, terms, to, bytes);
    }
  }
  return foldTensors(rule, type, terms, to, bytes);
}

}  // namespace fdg::host
