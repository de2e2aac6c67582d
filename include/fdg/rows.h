// Values as rows: counting, slicing and joining along the leading dimension.
//
// Every tensor with at least one dimension leads with rows, and every vector holds one element per
// row. All fields must have the same number of rows. Plain scalars, strings, maps, zero-dimensional
// and undefined tensors have no rows; when parts are joined they must be equal in all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "fdg/pack.h"

namespace fdg::value {

/// Counts rows leaf by leaf and refuses fields that differ.
class RowCount {
 public:
  void leaf(int64_t rows, const char* kind);
  std::optional<int64_t> count() const { return count_; }

 private:
  std::optional<int64_t> count_;
  int leaves_ = 0;
};

/// Throws UserError: a scalar field differs between the replicas.
[[noreturn]] void refuseUnequalScalars();
at::Tensor concatTensors(const std::vector<at::Tensor>& parts);
bool sameBits(const at::Tensor& a, const at::Tensor& b);
bool sameParts(const Parts& a, const Parts& b);

template <class T>
void visitRows(const T& v, RowCount& count) {
  if constexpr (Tensor<T>) {
    if (v.defined() && v.dim() > 0) {
      count.leaf(v.size(0), "tensor");
    }
  } else if constexpr (List<T>) {
    count.leaf(static_cast<int64_t>(v.size()), "vector");
  } else if constexpr (Optional<T>) {
    if (v) {
      visitRows(*v, count);
    }
  } else if constexpr (Record<T>) {
    forEachField(v, [&](const auto& field) { visitRows(field, count); });
  }
}

template <class T>
std::optional<int64_t> countRows(const T& v) {
  RowCount count;
  visitRows(v, count);
  return count.count();
}

template <class T>
T sliceRows(const T& v, int64_t begin, int64_t end) {
  if constexpr (Tensor<T>) {
    return v.defined() && v.dim() > 0 ? v.slice(0, begin, end) : v;
  } else if constexpr (List<T>) {
    return T(v.begin() + begin, v.begin() + end);
  } else if constexpr (Optional<T>) {
    return v ? T(sliceRows(*v, begin, end)) : v;
  } else if constexpr (Record<T>) {
    T part = v;
    forEachField(part, [&](auto& field) { field = sliceRows(field, begin, end); });
    return part;
  } else {
    return v;
  }
}

namespace detail {
/// Appends the rows of `part` to `whole`; tensors are collected and joined once at the end.
template <class T>
void appendRows(T& whole, const T& part, std::vector<std::vector<at::Tensor>>& tensors,
                size_t& index) {
  if constexpr (Tensor<T>) {
    if (part.defined() && part.dim() > 0) {
      tensors.resize(std::max(tensors.size(), index + 1));
      tensors[index].push_back(part);
    } else if (!(part.defined() == whole.defined() && (!part.defined() || sameBits(part, whole)))) {
      refuseUnequalScalars();
    }
    ++index;
  } else if constexpr (List<T>) {
    whole.insert(whole.end(), part.begin(), part.end());
  } else if constexpr (Optional<T>) {
    if (whole.has_value() != part.has_value()) {
      refuseUnequalScalars();
    }
    if (part) {
      appendRows(*whole, *part, tensors, index);
    }
  } else if constexpr (Record<T>) {
    if constexpr (is_a<T, std::tuple> || is_a<T, std::pair>) {
      [&]<size_t... I>(std::index_sequence<I...>) {
        (appendRows(std::get<I>(whole), std::get<I>(part), tensors, index), ...);
      }
      (std::make_index_sequence<std::tuple_size_v<T>>());
    } else if constexpr (is_array<T>) {
      for (size_t i = 0; i < whole.size(); ++i) {
        appendRows(whole[i], part[i], tensors, index);
      }
    } else {
      [&]<size_t... I>(std::index_sequence<I...>) {
        (appendRows(boost::pfr::get<I>(whole), boost::pfr::get<I>(part), tensors, index), ...);
      }
      (std::make_index_sequence<boost::pfr::tuple_size_v<T>>());
    }
  } else {
    Parts a, b;
    pack(whole, a);
    pack(part, b);
    if (a.bytes != b.bytes) {
      refuseUnequalScalars();
    }
  }
}

template <class T>
void placeJoined(T& whole, const std::vector<std::vector<at::Tensor>>& tensors, size_t& index) {
  if constexpr (Tensor<T>) {
    if (whole.defined() && whole.dim() > 0) {
      whole = concatTensors(tensors[index]);
    }
    ++index;
  } else if constexpr (Optional<T>) {
    if (whole) {
      placeJoined(*whole, tensors, index);
    }
  } else if constexpr (Record<T>) {
    forEachField(whole, [&](auto& field) { placeJoined(field, tensors, index); });
  }
}
}  // namespace detail

/// The rows of all parts in order. One part comes back as it is.
template <class T>
T concatRows(std::span<const T* const> parts) {
  T whole = *parts.front();
  if (parts.size() == 1) {
    return whole;
  }
  std::vector<std::vector<at::Tensor>> tensors;
  size_t index = 0;
  for (const T* part : parts) {
    index = 0;
    if (part == parts.front()) {
      T scratch = whole;
      detail::appendRows(scratch, *part, tensors, index);
    } else {
      detail::appendRows(whole, *part, tensors, index);
    }
  }
  index = 0;
  detail::placeJoined(whole, tensors, index);
  return whole;
}

}  // namespace fdg::value
