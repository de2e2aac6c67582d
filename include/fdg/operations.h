// The operations of a partition annotation: what a value means when it crosses between fragments.
// docs/language.md, "Operations", has the table.
#pragma once

#include <utility>

#include "base/Manifest.h"

namespace fdg {

struct Operation {
  OperationKind kind;
  bool is_loose = false;

  /// The algorithm stays valid when this boundary is asynchronous; a policy may then drain it or
  /// keep only the newest value.
  constexpr Operation loose() const { return {kind, true}; }
};

inline constexpr Operation gather{OperationKind::gather};
inline constexpr Operation scatter{OperationKind::scatter};
inline constexpr Operation append{OperationKind::append};
inline constexpr Operation broadcast{OperationKind::broadcast};
inline constexpr Operation all_gather{OperationKind::all_gather};
inline constexpr Operation reduce_mean{OperationKind::reduce_mean};
inline constexpr Operation reduce_sum{OperationKind::reduce_sum};
inline constexpr Operation reduce_max{OperationKind::reduce_max};
inline constexpr Operation reduce_all{OperationKind::reduce_all};
inline constexpr Operation reduce_any{OperationKind::reduce_any};

/// Marks where the values may cross from the fragment that made them to those that use them.
/// Compiled plainly it does nothing: the sequential run is the specification.
template <class... Values>
inline void partition(Operation /*operation*/, Values&... /*values*/) {}

/// A term of a reduction with the number of rows it came from, so that reduce_mean weights it
/// rightly. After the reduction `weight` is the sum of all weights.
template <class T>
struct Weighted {
  T value;
  double weight = 0;
};

template <class T>
Weighted<T> weighted(T value, double rows) {
  return {std::move(value), rows};
}

}  // namespace fdg
