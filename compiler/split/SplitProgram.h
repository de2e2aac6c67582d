// The rooms graph and split in one call: program → fragments and boundaries.
//
// Shows every refusal; nullopt if there was one. The order of the steps stands in the .cpp.
#pragma once

#include <optional>

#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/CutEdits.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

std::optional<Split> splitProgram(const Program& program, Diagnostics& diagnostics);

/// The steps of cutting without annotations (language.md, rule 12). Each gives edits, after which
/// the program is parsed again; no edits: the text stays as it is. Refusals have been shown when
/// nullopt comes back.
enum class CutStep { open_headers, separate_components, place_annotations };
std::optional<CutEdits> cutAlongComponents(const Program& program, CutStep step,
                                           Diagnostics& diagnostics);

}  // namespace fdg::compiler
