// The fingerprint of a crossing value, made so that the shares of replicas add up to the whole.
//
// Rows are hashed one by one and joined as a polynomial: join(hash(rows 0..k), hash(rows k..n))
// equals hash(rows 0..n). What has no rows goes into `plain`, which must be equal on all replicas.
// `whole` hashes the value as one piece, shapes included.
#pragma once

#include <cstdint>

#include "fdg/rows.h"

namespace fdg::value {

struct TraceHash {
  uint64_t whole = 0;
  uint64_t plain = 0;
  uint64_t rows_hash = 0;
  int64_t rows = 0;
  bool has_rows = false;

  bool operator==(const TraceHash&) const = default;
};

/// Shares in replica order; their `whole` cannot be joined and becomes 0.
TraceHash join(const TraceHash& first, const TraceHash& second);

class Hasher {
 public:
  void bytes(const void* data, size_t size);
  void tensor(const at::Tensor& t);
  uint64_t value() const;

 private:
  uint64_t state_ = 0x9E3779B97F4A7C15ULL;
};

/// Adds the rows of one leaf, the `leaf`-th of its value.
void addTensorRows(TraceHash& hash, const at::Tensor& t, int leaf);
void addRow(uint64_t& polynomial, uint64_t row);
uint64_t leafFactor(int leaf);
uint64_t hashParts(const Parts& parts);

namespace detail {
template <class T>
void visitHash(const T& v, TraceHash& hash, Parts& plain, int& leaf) {
  if constexpr (Tensor<T>) {
    if (v.defined() && v.dim() > 0) {
      addTensorRows(hash, v, leaf);
    } else {
      plain.tensors.push_back(v);
    }
    ++leaf;
  } else if constexpr (List<T>) {
    uint64_t polynomial = 0;
    for (const typename T::value_type& element : v) {
      Parts row;
      pack(element, row);
      addRow(polynomial, hashParts(row));
    }
    hash.rows_hash += leafFactor(leaf++) * polynomial;
    hash.rows = static_cast<int64_t>(v.size());
    hash.has_rows = true;
  } else if constexpr (Optional<T>) {
    pack(v.has_value(), plain);
    if (v) {
      visitHash(*v, hash, plain, leaf);
    }
  } else if constexpr (Record<T>) {
    forEachField(v, [&](const auto& field) { visitHash(field, hash, plain, leaf); });
  } else {
    pack(v, plain);
  }
}
}  // namespace detail

template <class T>
TraceHash traceHash(const T& v) {
  TraceHash hash;
  Parts all;
  pack(v, all);
  hash.whole = hashParts(all);
  Parts plain;
  int leaf = 0;
  detail::visitHash(v, hash, plain, leaf);
  hash.plain = hashParts(plain);
  return hash;
}

}  // namespace fdg::value
