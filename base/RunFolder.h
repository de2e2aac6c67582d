// Where a run keeps its log and weights: made, and never one that holds a run already.
#pragma once

#include <string>

namespace fdg {

/// Makes `wanted` (it may exist), or if empty the first of runs/PROGRAM-001, -002, … that does not
/// exist. Throws UserError with the cause if it cannot.
std::string makeRunFolder(const std::string& wanted, const std::string& program);

/// Throws UserError if the folder has the log of a run already: nothing is ever overwritten. What
/// failed before it logged anything is nothing.
void refuseUsedFolder(const std::string& folder);

}  // namespace fdg
