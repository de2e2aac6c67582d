// A value, or the sentence that says why there is none: for what is expected to fail at run time
// (a file that is not there, a policy with a mistake, a peer that died).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/Check.h"

namespace fdg {

struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() {
    FDG_CHECK(ok(), "Result::value without a value: " + error());
    return std::get<0>(state_);
  }
  const T& value() const { return const_cast<Result*>(this)->value(); }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }

  /// The sentence; empty when there is a value.
  std::string error() const { return ok() ? std::string() : std::get<1>(state_).message; }

  /// The value, or the error thrown as UserError: for the doors.
  T orThrow() && {
    if (!ok()) {
      throw UserError(error());
    }
    return std::move(std::get<0>(state_));
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace fdg
