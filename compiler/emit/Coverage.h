// Proof that nothing was dropped: every statement and condition of the training function with the
// fragments that have it. Each is in exactly one, or copied because it is free or derived, or an
// annotation.
#pragma once

#include <string>
#include <vector>

#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

struct Coverage {
  std::string text;  ///< One line per statement, in source order.
  std::vector<std::string>
      uncovered;  ///< Statements that are in no fragment, or wrongly in several: our bug.
};

Coverage coverageOf(const Program& program, const Split& split);

}  // namespace fdg::compiler
