// What the manifest knows about a fragment or a boundary → lines for people: name, yes or no, why.
// The picture and the page show them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"

namespace fdg::compiler {

struct FactLine {
  std::string name;
  bool holds = true;
  std::string reason;  ///< May be empty.
};

std::vector<FactLine> factsOf(const FragmentInfo& fragment);
/// Empty for the outcome of a condition: it has no facts of its own.
std::vector<FactLine> factsOf(const BoundaryInfo& boundary);

/// "obs (Tensor)": the values that cross with their types.
std::string valuesText(const BoundaryInfo& boundary);
/// "gather.loose()", or "outcome of a condition".
std::string operationText(const BoundaryInfo& boundary);
/// "actor → buffer, learner".
std::string routeText(const Manifest& manifest, const BoundaryInfo& boundary);
/// A colour that white text can be read on; the same for the same fragment everywhere.
std::string colourOf(int fragment);

}  // namespace fdg::compiler
