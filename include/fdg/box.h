// Box: one crossing value without its type, and what can be done with it.
//
// The generated code knows the types, the runtime knows where values go; they meet here. Operations
// that find the value unfit (fields with different row counts, a scalar that replicas disagree on,
// a term that is not finite) throw UserError naming the field.
#pragma once

#include <memory>
#include <span>

#include "fdg/pack.h"
#include "fdg/rows.h"
#include "fdg/terms.h"
#include "fdg/trace_hash.h"

namespace fdg::host {

/// The operations of one value type, as plain functions over untyped memory.
struct ValueOps {
  std::shared_ptr<void> (*make)();
  std::shared_ptr<void> (*copy)(const void* v);
  void (*pack)(const void* v, value::Parts& out);
  void (*unpack)(void* v, const value::Parts& in);
  /// Rows of the value; nullopt if nothing in it leads with rows.
  std::optional<int64_t> (*rows)(const void* v);
  std::shared_ptr<void> (*slice)(const void* v, int64_t begin, int64_t end);
  /// Rows of all parts, in order; plain fields must be equal in all of them.
  std::shared_ptr<void> (*concat)(std::span<const void* const> parts);
  /// One result from the terms, in order. `weights` are the rows each came from.
  std::shared_ptr<void> (*reduce)(OperationKind how, std::span<const void* const> terms,
                                  std::span<const double> weights);
  /// The weight that the value itself carries (fdg::Weighted).
  std::optional<double> (*weight)(const void* v);
  value::TraceHash (*hash)(const void* v);
};

template <class T>
const ValueOps& opsOf() {
  static const ValueOps ops = {
      [] { return std::shared_ptr<void>(std::make_shared<T>()); },
      [](const void* v) {
        return std::shared_ptr<void>(std::make_shared<T>(*static_cast<const T*>(v)));
      },
      [](const void* v, value::Parts& out) { value::pack(*static_cast<const T*>(v), out); },
      [](void* v, const value::Parts& in) { value::unpackAll(*static_cast<T*>(v), in); },
      [](const void* v) { return value::countRows(*static_cast<const T*>(v)); },
      [](const void* v, int64_t begin, int64_t end) {
        return std::shared_ptr<void>(
            std::make_shared<T>(value::sliceRows(*static_cast<const T*>(v), begin, end)));
      },
      [](std::span<const void* const> parts) {
        return std::shared_ptr<void>(std::make_shared<T>(value::concatRows(
            std::span(reinterpret_cast<const T* const*>(parts.data()), parts.size()))));
      },
      [](OperationKind how, std::span<const void* const> terms, std::span<const double> weights) {
        return std::shared_ptr<void>(std::make_shared<T>(value::reduceTerms(
            how, std::span(reinterpret_cast<const T* const*>(terms.data()), terms.size()),
            weights)));
      },
      [](const void* v) { return value::weightOf(*static_cast<const T*>(v)); },
      [](const void* v) { return value::traceHash(*static_cast<const T*>(v)); },
  };
  return ops;
}

/// Holds one value of a type that only its maker and its taker know. Copies share the value.
class Box {
 public:
  Box() = default;
  /// Without a value yet, where it is nullptr.
  Box(const ValueOps& ops, std::shared_ptr<void> value) : ops_(&ops), value_(std::move(value)) {}

  template <class T>
  static Box of(T value) {
    return {opsOf<T>(), std::make_shared<T>(std::move(value))};
  }

  template <class T>
  T& get() {
    FDG_CHECK(ops_ == &opsOf<T>() && value_, "a box opened as another type");
    return *static_cast<T*>(value_.get());
  }
  const ValueOps& ops() const { return *ops_; }
  const void* data() const { return value_.get(); }
  bool hasValue() const { return value_ != nullptr; }
  void set(std::shared_ptr<void> value) { value_ = std::move(value); }
  const std::shared_ptr<void>& share() const { return value_; }

 private:
  const ValueOps* ops_ = nullptr;
  std::shared_ptr<void> value_;
};

}  // namespace fdg::host
