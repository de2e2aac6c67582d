#include "core/AddTerms.h"

#include <algorithm>
#include <numeric>

#include "base/Finite.h"

namespace fdg::value {
namespace {

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
size_t addAll(std::span<const std::byte* const> terms, std::span<const double> weights,
              std::byte* to, size_t bytes) {
  auto* sum = reinterpret_cast<T*>(to);
  const size_t count = bytes / sizeof(T);
  const auto term = [&](size_t i) { return reinterpret_cast<const T*>(terms[i]); };
  const auto weight = [&](size_t i) { return is_weighted ? static_cast<T>(weights[i]) : T{1}; };
  const unsigned found = addTwo<T, is_weighted>(sum, term(0), term(1), count, weight(0), weight(1));
  size_t refused = (found & 1) != 0 ? 0 : (found & 2) != 0 ? 1 : terms.size();
  for (size_t i = 2; i < terms.size(); ++i) {
    if (!addOne<T, is_weighted>(sum, term(i), count, weight(i))) {
      refused = std::min(refused, i);
    }
  }
  if (is_weighted) {
    const auto total = static_cast<T>(std::accumulate(weights.begin(), weights.end(), 0.0));
    for (size_t i = 0; i < count; ++i) {
      sum[i] /= total;
    }
  }
  return refused;
}

template <class T>
size_t addAs(OperationKind how, std::span<const std::byte* const> terms,
             std::span<const double> weights, std::byte* to, size_t bytes) {
  return how == OperationKind::reduce_mean && !weights.empty()
             ? addAll<T, true>(terms, weights, to, bytes)
             : addAll<T, false>(terms, weights, to, bytes);
}

}  // namespace

bool canAdd(OperationKind how, at::ScalarType type) {
  return (how == OperationKind::reduce_sum || how == OperationKind::reduce_mean) &&
         (type == at::kFloat || type == at::kDouble);
}

size_t addTerms(OperationKind how, at::ScalarType type, std::span<const std::byte* const> terms,
                std::span<const double> weights, std::byte* to, size_t bytes) {
  return type == at::kFloat ? addAs<float>(how, terms, weights, to, bytes)
                            : addAs<double>(how, terms, weights, to, bytes);
}

}  // namespace fdg::value
