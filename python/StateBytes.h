// StateBytes: what a component's `archive` is called with, to save what it holds as plain bytes and
// to put it back, where there is no LibTorch (fdg/archive.h is for everywhere else).
//
// Fields are numbers, strings, standard vectors of numbers, and classes with an `archive` of their
// own. Bytes that end early or are left over throw UserError. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/Check.h"

namespace fdg {

class StateBytes {
 public:
  /// Saves by appending.
  explicit StateBytes(std::vector<std::byte>& to) : to_(&to) {}
  /// Restores from what was saved.
  explicit StateBytes(std::span<const std::byte> from) : from_(from) {}

  bool saving() const { return to_ != nullptr; }
  template <class... T>
  void operator()(T&... fields) {
    (field(fields), ...);
  }
  /// After restoring: throws UserError if something is left over.
  void finish() const {
    if (!from_.empty()) {
      throw UserError("what was saved has more in it than a replay");
    }
  }

 private:
  template <class T>
  void field(T& v) {
    if constexpr (requires { v.archive(*this); }) {
      v.archive(*this);
    } else if constexpr (std::is_arithmetic_v<T>) {
      bytes(std::as_writable_bytes(std::span(&v, 1)));
    } else {
      list(v);
    }
  }
  template <class T>
  void list(T& v) {
    uint64_t size = v.size();
    field(size);
    if (!saving() && size > from_.size()) {  // each element has a byte at least
      throw UserError("what was saved ends early");
    }
    v.resize(size);
    bytes(std::as_writable_bytes(std::span(v)));
  }
  void bytes(std::span<std::byte> here) {
    if (saving()) {
      to_->insert(to_->end(), here.begin(), here.end());
    } else if (here.size() > from_.size()) {
      throw UserError("what was saved ends early");
    } else {
      std::ranges::copy(from_.first(here.size()), here.begin());
      from_ = from_.subspan(here.size());
    }
  }

  std::vector<std::byte>* to_ = nullptr;
  std::span<const std::byte> from_;
};

}  // namespace fdg
