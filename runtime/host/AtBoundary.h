// What goes wrong while a value crosses → the same with the boundary's line and variable in front, as
// everywhere: below the host, boundaries are numbers.
#pragma once

#include <string>

#include "base/Check.h"
#include "base/Manifest.h"

namespace fdg::host {

/// "line 41: weights"
inline std::string placeOf(const BoundaryInfo& info) {
  return "line " + std::to_string(info.line) + ": " + info.name;
}

/// `f()`; a UserError of it begins with "line 41: weights: ", unless it names its line itself.
template <class F>
auto atBoundary(const BoundaryInfo& info, const F& f) {
  try {
    return f();
  } catch (const UserError& error) {
    const std::string text = error.what();
    throw UserError(text.starts_with("line ") ? text : placeOf(info) + ": " + text);
  }
}

}  // namespace fdg::host
