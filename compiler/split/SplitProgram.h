// The rooms graph and split in one call: program → fragments and boundaries.
//
// Shows every refusal; nullopt if there was one. The order of the steps stands in the .cpp.
#pragma once

#include <optional>

#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

struct SplitOptions {
  bool along_components = false;  ///< Ignore annotations and cut around every component (rule 12).
};

std::optional<Split> splitProgram(const Program& program, const SplitOptions& options,
                                  Diagnostics& diagnostics);

}  // namespace fdg::compiler
