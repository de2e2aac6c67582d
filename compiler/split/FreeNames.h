// Training function → names for new variables, which nothing in it uses yet: variables, functions,
// types, macros and keywords are avoided, by numbers behind the wanted name. One lexing of the
// function.
#pragma once

#include <set>
#include <string>

#include "compiler/read/ReadAnnotations.h"

namespace fdg::compiler {

class FreeNames {
 public:
  explicit FreeNames(const Program& program);
  /// The name is taken from then on.
  std::string take(const std::string& wanted);

 private:
  const Program& program_;
  std::set<std::string> taken_;
};

}  // namespace fdg::compiler
