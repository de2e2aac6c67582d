// Archive: what a component's `archive` is called with, to save what it holds and to put it back.
//
//   template <class A>
//   void archive(A& a) { a(weights_, optimizer_, stream_); }
//
// Fields are value types; classes with an `archive` of their own; torch modules and optimizers;
// standard vectors, arrays, optionals, pairs, tuples and unique_ptrs of those, and aggregates of
// those. A restored object must have been constructed as the saved one was: what its constructor
// fixed is not saved. Tensors come back detached; a leaf that requires a gradient keeps that, but
// not the gradient. What was saved by other fields throws UserError. Not thread-safe.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "fdg/pack.h"

namespace fdg {

class Archive {
 public:
  /// Saves by appending to `parts`.
  static Archive saver(value::Parts& parts) { return Archive(parts, /*saving=*/true); }
  /// Restores from what a saver wrote.
  static Archive restorer(value::Parts& parts) { return Archive(parts, /*saving=*/false); }

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
  Archive(value::Parts& parts, bool saving) : parts_(&parts), saving_(saving) {}

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
  template <class T>
  void list(T& v);
  /// Whether there is something must be as it was constructed.
  void presence(bool here, const char* what) {
    bool there = here;
    plain(there);
    if (there != here) {
      throw UserError(std::string("what was saved has ") + (there ? "a " : "no ") + what +
                      " where this run has " + (here ? "one" : "none"));
    }
  }
  void module(torch::nn::Module& v) {
    bool training = v.is_training();
    plain(training);
    v.train(training);
    for (at::Tensor& tensor : v.parameters()) {
      inPlace(tensor);
    }
    for (at::Tensor& tensor : v.buffers()) {
      inPlace(tensor);
    }
  }
  /// Others hold handles of it: its storage gets the values.
  void inPlace(at::Tensor& tensor) {
    at::Tensor values = tensor.detach();
    plain(values);
    if (!saving_) {
      if (values.sizes() != tensor.sizes()) {
        throw UserError("what was saved has a module's tensor of another shape");
      }
      tensor.detach().copy_(values);
    }
  }
  template <class T>
  void optimizer(T& v);

  value::Parts* parts_;
  bool saving_;
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
  } else if constexpr (value::is_a<T, std::unique_ptr>) {
    presence(v != nullptr, "object");
    if (v) {
      field(*v);
    }
  } else if constexpr (value::Optional<T>) {
    bool present = v.has_value();
    plain(present);
    if constexpr (std::is_default_constructible_v<typename T::value_type>) {
      if (present && !v) {
        v.emplace();
      }
    }
    if (!present) {
      v.reset();
    } else if (!v) {
      presence(false, "value");
    } else {
      field(*v);
    }
  } else if constexpr (value::List<T>) {
    list(v);
  } else if constexpr (value::Tensor<T> || value::Plain<T> || value::String<T> || value::Map<T>) {
    plain(v);
  } else {
    value::forEachField(v, [this](auto& member) { this->field(member); });
  }
}

template <class T>
void Archive::list(T& v) {
  using Element = typename T::value_type;
  if constexpr (std::is_arithmetic_v<Element>) {
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
