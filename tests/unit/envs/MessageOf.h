// What a user is told.
#pragma once

#include <functional>
#include <string>

#include "base/Check.h"

namespace fdg::rl {

/// Of the UserError that it throws.
inline std::string messageOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace fdg::rl
