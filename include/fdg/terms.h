// Values as terms of a reduction: sums, means, maxima and logical folds, leaf by leaf.
//
// All terms must have the same shape. Terms are folded in the given order (replica order), so the
// result has the same bits on every replica. One term comes back unchanged. reduce_mean takes Σ
// wᵢ·tᵢ / Σ wᵢ on floating-point leaves and refuses integers; reduce_all and reduce_any take bools.
// A term with a value that is not finite is named by its index in the UserError.
#pragma once

#include <optional>
#include <span>

#include "fdg/operations.h"
#include "fdg/rows.h"

namespace fdg::value {

/// Folds tensors in order; weights are used by reduce_mean only.
at::Tensor reduceTensors(OperationKind how, std::span<const at::Tensor> terms,
                         std::span<const double> weights);
double reduceNumbers(OperationKind how, std::span<const double> terms,
                     std::span<const double> weights);
int64_t reduceIntegers(OperationKind how, std::span<const int64_t> terms);
bool reduceBools(OperationKind how, std::span<const bool> terms);
[[noreturn]] void refuseTerm(const char* what);

template <class T>
inline constexpr bool is_weighted = is_a<T, Weighted>;

/// The weight a value carries: it, or its only field, is Weighted.
template <class T>
std::optional<double> weightOf(const T& v) {
  if constexpr (is_weighted<T>) {
    return v.weight;
  } else if constexpr (is_a<T, std::tuple>) {
    if constexpr (std::tuple_size_v<T> == 1) {
      return weightOf(std::get<0>(v));
    }
  }
  return std::nullopt;
}

template <class T>
T reduceTerms(OperationKind how, std::span<const T* const> terms, std::span<const double> weights);

namespace detail {

/// reduceTerms on one field of every term.
template <class Field, class T, class Get>
Field reduceField(OperationKind how, std::span<const T* const> terms,
                  std::span<const double> weights, Get get) {
  std::vector<const Field*> fields;
  fields.reserve(terms.size());
  for (const T* term : terms) {
    fields.push_back(&get(*term));
  }
  return reduceTerms<Field>(how, std::span<const Field* const>(fields), weights);
}

template <class T>
T reducePlain(OperationKind how, std::span<const T* const> terms, std::span<const double> weights) {
  if constexpr (std::is_same_v<T, bool>) {
    const auto copy = std::make_unique<bool[]>(terms.size());
    for (size_t i = 0; i < terms.size(); ++i) {
      copy[i] = *terms[i];
    }
    return reduceBools(how, std::span<const bool>(copy.get(), terms.size()));
  } else if constexpr (std::is_floating_point_v<T>) {
    std::vector<double> copy;
    for (const T* term : terms) {
      copy.push_back(static_cast<double>(*term));
    }
    return static_cast<T>(reduceNumbers(how, copy, weights));
  } else if constexpr (std::is_integral_v<T>) {
    std::vector<int64_t> copy;
    for (const T* term : terms) {
      copy.push_back(static_cast<int64_t>(*term));
    }
    return static_cast<T>(reduceIntegers(how, copy));
  } else {
    refuseTerm("an enum or a string cannot be reduced");
  }
}

}  // namespace detail

template <class T>
T reduceTerms(OperationKind how, std::span<const T* const> terms, std::span<const double> weights) {
  if (terms.size() == 1) {
    return *terms.front();
  }
  if constexpr (Tensor<T>) {
    std::vector<at::Tensor> copy;
    for (const T* term : terms) {
      copy.push_back(*term);
    }
    return reduceTensors(how, copy, weights);
  } else if constexpr (Plain<T>) {
    return detail::reducePlain<T>(how, terms, weights);
  } else if constexpr (is_weighted<T>) {
    double total = 0;
    for (const T* term : terms) {
      total += term->weight;
    }
    using Value = decltype(T::value);
    return T{detail::reduceField<Value>(how, terms, weights,
                                        [](const T& t) -> const Value& { return t.value; }),
             total};
  } else if constexpr (List<T>) {
    if constexpr (std::is_same_v<T, std::vector<bool>>) {
      refuseTerm("std::vector<bool> cannot be reduced; use a tensor");
    } else {
      T result = *terms.front();
      for (const T* term : terms) {
        if (term->size() != result.size()) {
          refuseTerm("the terms are vectors of different lengths");
        }
      }
      for (size_t i = 0; i < result.size(); ++i) {
        using Element = typename T::value_type;
        result[i] = detail::reduceField<Element>(
            how, terms, weights, [i](const T& t) -> const Element& { return t[i]; });
      }
      return result;
    }
  } else if constexpr (is_a<T, std::tuple> || is_a<T, std::pair> || is_array<T>) {
    T result = *terms.front();
    [&]<size_t... I>(std::index_sequence<I...>) {
      ((std::get<I>(result) =
            detail::reduceField<std::remove_cvref_t<decltype(std::get<I>(result))>>(
                how, terms, weights, [](const T& t) -> const auto& { return std::get<I>(t); })),
       ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
    return result;
  } else if constexpr (Record<T>) {
    T result = *terms.front();
    [&]<size_t... I>(std::index_sequence<I...>) {
      ((boost::pfr::get<I>(result) =
            detail::reduceField<std::remove_cvref_t<decltype(boost::pfr::get<I>(result))>>(
                how, terms, weights,
                [](const T& t) -> const auto& { return boost::pfr::get<I>(t); })),
       ...);
    }
    (std::make_index_sequence<boost::pfr::tuple_size_v<T>>());
    return result;
  } else if constexpr (String<T>) {
    for (const T* term : terms) {
      if (*term != *terms.front()) {
        refuseUnequalScalars();
      }
    }
    return *terms.front();
  } else {
    refuseTerm("this type cannot be reduced");
  }
}

}  // namespace fdg::value
