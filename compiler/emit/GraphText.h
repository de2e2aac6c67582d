// Manifest → text for people and for FileCheck: fragments, boundaries, loops, facts.
//
//   fragment environment: components envs; lines 20-21, 25, 36
//   boundary obs: gather environment -> actor; line 26; once
//   rate class: environment, actor; apart from the others if experience, weights are loosened
#pragma once

#include <string>

#include "base/Manifest.h"

namespace fdg::compiler {

std::string graphText(const Manifest& manifest);
/// "20-21, 25"
std::string lineRanges(const std::vector<int>& lines);
/// "actor, evaluator"
std::string fragmentNames(const Manifest& manifest, const std::vector<int>& fragments);

}  // namespace fdg::compiler
