// Variables that cross together ↔ the one value that crosses for them, a tuple.
//
// Generated code says which types they are, and no more: everything else is compiled once for each
// list of types, that of the library's own messages in the library. So a program with a dozen
// boundaries compiles in a second: naming a new specialization of std::tuple or std::function costs
// clang 0.1 s, because it then reads all those that the precompiled header has.
#pragma once

#include "fdg/box.h"

namespace fdg::host {

/// What can be done with one list of variables. Arrays have one pointer for each, in order.
struct ElementOps {
  const ValueOps* value;
  /// A value made of copies of the variables.
  std::shared_ptr<void> (*join)(const void* const* variables);
  /// The elements of a value move into the variables.
  void (*part)(void* value, void* const* variables);
  /// Where the elements of a value are.
  void (*point)(void* value, void** elements);
  /// What keeps one of their tensors from crossing.
  value::Hindrance (*hindrance)(const void* const* variables);
};

template <class... V>
struct ElementsOf {
  using Value = std::tuple<V...>;

  static std::shared_ptr<void> join(const void* const* variables) {
    return joinAll(variables, std::index_sequence_for<V...>());
  }
  static void part(void* value, void* const* variables) {
    partAll(*static_cast<Value*>(value), variables, std::index_sequence_for<V...>());
  }
  static void point(void* value, void** elements) {
    pointAll(*static_cast<Value*>(value), elements, std::index_sequence_for<V...>());
  }
  static value::Hindrance hindrance(const void* const* variables) {
    return firstHindrance(variables, std::index_sequence_for<V...>());
  }

 private:
  template <size_t... I>
  static std::shared_ptr<void> joinAll(const void* const* variables,
                                       std::index_sequence<I...> /*indices*/) {
    return std::make_shared<Value>(*static_cast<const V*>(variables[I])...);
  }
  template <size_t... I>
  static void partAll(Value& value, void* const* variables, std::index_sequence<I...> /*indices*/) {
    ((*static_cast<V*>(variables[I]) = std::move(std::get<I>(value))), ...);
  }
  template <size_t... I>
  static void pointAll(Value& value, void** elements, std::index_sequence<I...> /*indices*/) {
    ((elements[I] = &std::get<I>(value)), ...);
  }
  template <size_t... I>
  static value::Hindrance firstHindrance(const void* const* variables,
                                         std::index_sequence<I...> /*indices*/) {
    value::Hindrance found = value::Hindrance::none;
    ((found = found == value::Hindrance::none
                  ? value::hindranceIn(*static_cast<const V*>(variables[I]))
                  : found),
     ...);
    return found;
  }
};

template <class... V>
const ElementOps& elementsOf() {
  static const ElementOps ops = {&opsOf<std::tuple<V...>>(), &ElementsOf<V...>::join,
                                 &ElementsOf<V...>::part, &ElementsOf<V...>::point,
                                 &ElementsOf<V...>::hindrance};
  return ops;
}

// The plainest messages, compiled once into the library instead of into every program.
extern template const ElementOps& elementsOf<at::Tensor>();
extern template const ElementOps& elementsOf<bool>();
extern template const ElementOps& elementsOf<int64_t>();
extern template const ElementOps& elementsOf<double>();

}  // namespace fdg::host
