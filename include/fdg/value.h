// Value types: what may cross between fragments, and how it is taken apart.
//
// A value type is a tensor, an arithmetic type, an enum, a string, a standard container, optional,
// pair, tuple, or an aggregate of those; aggregates are reflected (Boost.PFR), there is nothing to
// declare. Every algorithm over values is a visitor that sees the leaves in a fixed order:
//   tensor, plain (arithmetic, enum, string), and lists (vectors), whose elements stand for rows.
#pragma once

#include <torch/types.h>

#include <algorithm>
#include <array>
#include <boost/pfr/core.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fdg/run.h"

namespace fdg::value {

template <class T, template <class...> class Template>
inline constexpr bool is_a = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is_a<Template<Args...>, Template> = true;

template <class T>
concept Tensor = std::is_same_v<T, at::Tensor>;
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
concept String = std::is_same_v<T, std::string>;
template <class T>
concept List = is_a<T, std::vector>;
template <class T>
concept Optional = is_a<T, std::optional>;
template <class T>
concept Map = is_a<T, std::map> || is_a<T, std::unordered_map> || is_a<T, std::set>;
/// A map from text to tensors.
template <class T>
concept HasNames = Map<T> && requires(const T& v) {
  { *v.begin() } -> std::convertible_to<NamedTensors::value_type>;
};
template <class T>
concept Record = !Tensor<T> && !Plain<T> && !String<T> && !List<T> && !Optional<T> && !Map<T>;

template <class T>
inline constexpr bool is_array = false;
template <class T, size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

/// Calls f on each field of a pair, tuple, array or aggregate, in order.
template <class T, class F>
void forEachField(T& record, F&& f) {
  using Bare = std::remove_const_t<T>;
  if constexpr (is_a<Bare, std::tuple> || is_a<Bare, std::pair>) {
    std::apply([&](auto&... field) { (f(field), ...); }, record);
  } else if constexpr (is_array<Bare>) {
    for (auto& element : record) {
      f(element);
    }
  } else {
    static_assert(std::is_aggregate_v<Bare>, "this type is not a value type: it cannot cross");
    boost::pfr::for_each_field(record, std::forward<F>(f));
  }
}

/// Calls f(tensor) on every tensor of a value, in order.
template <class T, class F>
void forEachTensor(T& v, F&& f) {
  using Bare = std::remove_const_t<T>;
  if constexpr (Tensor<Bare>) {
    f(v);
  } else if constexpr (List<Bare>) {
    if constexpr (!std::is_same_v<Bare, std::vector<bool>>) {
      for (auto& element : v) {
        forEachTensor(element, f);
      }
    }
  } else if constexpr (Optional<Bare>) {
    if (v) {
      forEachTensor(*v, f);
    }
  } else if constexpr (is_a<Bare, std::map> || is_a<Bare, std::unordered_map>) {
    for (auto& [key, element] : v) {
      forEachTensor(element, f);
    }
  } else if constexpr (Record<Bare>) {
    forEachField(v, [&](auto& field) { forEachTensor(field, f); });
  }
}

/// What keeps a tensor from crossing: gradients would have to flow back through where it came from,
/// or to it; only dense tensors are sent.
enum class Hindrance { none, history, gradients, sparse };
Hindrance hindranceOf(const at::Tensor& t);

/// The first that a tensor of the value has.
template <class T>
Hindrance hindranceIn(const T& v) {
  Hindrance found = Hindrance::none;
  forEachTensor(v, [&](const at::Tensor& t) {
    found = found == Hindrance::none ? hindranceOf(t) : found;
  });
  return found;
}

}  // namespace fdg::value

namespace fdg {

template <class T>
NamedTensors Run::named(const T& v) {
  NamedTensors tensors;
  if constexpr (value::HasNames<T>) {
    tensors.assign(v.begin(), v.end());
    std::ranges::sort(tensors, {}, &NamedTensors::value_type::first);
  } else {
    value::forEachTensor(
        v, [&](const at::Tensor& t) { tensors.emplace_back(std::to_string(tensors.size()), t); });
  }
  return tensors;
}

}  // namespace fdg
