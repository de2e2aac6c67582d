// The state of environments as a message: what VectorEnv's archive saves and restores.
//
// Fields are value types, or structs with `template <class A> void archive(A& a)`. A reader must be
// called with the same fields in the same order; a message that is too short throws UserError.
#pragma once

#include "fdg/pack.h"

namespace fdg::rl::detail {

/// Called with fields, appends them to a message; structs with `archive` give their own fields.
class FieldWriter {
 public:
  explicit FieldWriter(value::Parts& out) : out_(&out) {}
  template <class... T>
  void operator()(T&... fields) {
    (put(fields), ...);
  }

 private:
  template <class T>
  void put(T& field) {
    if constexpr (requires { field.archive(*this); }) {
      field.archive(*this);
    } else {
      value::pack(field, *out_);
    }
  }
  value::Parts* out_;
};

/// Called with the same fields in the same order, takes them out again.
class FieldReader {
 public:
  explicit FieldReader(const value::Parts& in) : in_(&in) {}
  template <class... T>
  void operator()(T&... fields) {
    (take(fields), ...);
  }

 private:
  template <class T>
  void take(T& field) {
    if constexpr (requires { field.archive(*this); }) {
      field.archive(*this);
    } else {
      value::unpack(field, *in_, tensor_, byte_);
    }
  }
  const value::Parts* in_;
  size_t tensor_ = 0;
  size_t byte_ = 0;
};

}  // namespace fdg::rl::detail
