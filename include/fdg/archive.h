// Archive: what a component's `archive` is called with, to save what it holds and to put it back.
//
//   template <class A>
//   void archive(A& a) { a(weights_, optimizer_, stream_); }
//
// Fields are value types; classes with an `archive` of their own; torch modules and optimizers;
// standard vectors, deques, arrays, optionals, pairs, tuples and unique_ptrs of those, and aggregates of
// those. A restored object must have been constructed as the saved one was: what its constructor
// fixed is not saved. Tensors come back detached; a leaf that requires a gradient keeps that and
// the gradient, and stays the tensor that an optimizer knows if its shape and type are the same.
// What was saved by other fields throws UserError. Not thread-safe.
#pragma once

#include <torch/torch.h>

#include <deque>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "fdg/pack.h"

namespace fdg {

class Archive {
 public:
  /// Saves by appending to `parts`.
  static Archive saver(value::Parts& parts) { return {parts, /*saving=*/true, nullptr}; }
  /// The leaves that have their values again; what is restored together shares them.
  using Leaves = std::shared_ptr<std::set<const void*>>;
  /// Restores from what a saver wrote.
  static Archive restorer(value::Parts& parts,
                          Leaves leaves = std::make_shared<std::set<const void*>>()) {
    return {parts, /*saving=*/false, std::move(leaves)};
  }

  bool saving() const { return saving_; }
  template <class... T>
  void operator()(T&... fields) {
    (field(fields), ...);
  }
  /// After restoring: throws UserError if something is left over.
  void finish() const {
    if (!saving_ && (tensor_ != parts_->tensors.size() || byte_ != parts_->bytes.size())) {
      throw UserError("what was saved has more fields than what is restored");
    }
  }

 private:
  Archive(value::Parts& parts, bool saving, Leaves leaves)
      : parts_(&parts), saving_(saving), leaves_(std::move(leaves)) {}

  template <class T>
  void field(T& v);
  template <class T>
  void plain(T& v) {
    if (saving_) {
      value::pack(v, *parts_);
    } else {
      value::unpack(v, *parts_, tensor_, byte_);
    }
  }
  void tensor(at::Tensor& v);
  bool isIn(at::Tensor& v, const at::Tensor& values);
  void gradient(at::Tensor& v);
  void module(torch::nn::Module& v);
  void inPlace(at::Tensor& tensor);
  template <class T>
  bool isThere(T& v);
  template <class T>
  void list(T& v);
  template <class T>
  void optimizer(T& v);

  value::Parts* parts_;
  bool saving_;
  Leaves leaves_;
  size_t tensor_ = 0;
  size_t byte_ = 0;
};

template <class T>
void Archive::field(T& v) {
  if constexpr (requires { v.archive(*this); }) {
    v.archive(*this);
  } else if constexpr (std::is_base_of_v<torch::nn::Module, T>) {
    module(v);
  } else if constexpr (std::is_base_of_v<torch::detail::ModuleHolderIndicator, T>) {
    module(*v.ptr());
  } else if constexpr (std::is_base_of_v<torch::optim::Optimizer, T>) {
    optimizer(v);
  } else if constexpr (value::is_a<T, std::unique_ptr> || value::Optional<T>) {
    if (isThere(v)) {
      field(*v);
    }
  } else if constexpr (value::List<T> || value::is_a<T, std::deque>) {
    list(v);
  } else if constexpr (value::Tensor<T>) {
    tensor(v);
  } else if constexpr (value::Plain<T> || value::String<T> || value::Map<T>) {
    plain(v);
  } else {
    static_assert(std::is_aggregate_v<T> || value::is_a<T, std::pair> || value::is_a<T, std::tuple>,
                  "fdg::Archive cannot save a field of this type: give its class an `archive`");
    value::forEachField(v, [this](auto& member) { this->field(member); });
  }
}

/// Makes what was there when it was saved, and drops what was not; whether there is something.
template <class T>
bool Archive::isThere(T& v) {
  using Object = std::remove_reference_t<decltype(*v)>;
  bool present = static_cast<bool>(v);
  plain(present);
  if (!present) {
    v.reset();
  } else if (!v) {
    if constexpr (!std::is_default_constructible_v<Object>) {
      throw UserError("what was saved has an object where this run has none, and its class cannot "
                      "be made without arguments");
    } else if constexpr (value::Optional<T>) {
      v.emplace();
    } else if constexpr (std::is_polymorphic_v<Object>) {
      throw UserError("what was saved has an object where this run has none, and its class may "
                      "stand for others, having virtual functions");
    } else {
      v.reset(new Object());
    }
  }
  return present;
}

template <class T>
void Archive::list(T& v) {
  using Element = typename T::value_type;
  if constexpr (std::is_arithmetic_v<Element> && value::List<T>) {
    plain(v);
  } else {
    uint64_t size = v.size();
    plain(size);
    if constexpr (std::is_default_constructible_v<Element>) {
      if (size > parts_->bytes.size() + parts_->tensors.size() && size > v.size()) {
        throw UserError("what was saved is shorter than its fields say");
      }
      v.resize(size);
    } else if (size != v.size()) {
      throw UserError("what was saved has " + std::to_string(size) +
                      " elements where this run has " + std::to_string(v.size()));
    }
    for (Element& element : v) {
      field(element);
    }
  }
}

template <class T>
void Archive::optimizer(T& v) {
  std::string bytes;
  if (saving_) {
    std::ostringstream out;
    torch::serialize::OutputArchive archive;
    v.save(archive);
    archive.save_to(out);
    bytes = out.str();
  }
  plain(bytes);
  if (!saving_) {
    std::istringstream in(bytes);
    torch::serialize::InputArchive archive;
    archive.load_from(in);
    v.load(archive);
  }
}

}  // namespace fdg
