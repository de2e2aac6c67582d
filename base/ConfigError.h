// What a program says of a value of its config that makes no sense. It ends a run like a wrong
// call: the sentence alone, exit code 2. Thrown while the program's components are made.
#pragma once

#include "base/Check.h"

namespace fdg {

class ConfigError final : public UserError {
 public:
  using UserError::UserError;
};

}  // namespace fdg
