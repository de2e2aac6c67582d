// A canonical type name, as the manifest has it → shorter, as people write it:
// "Weighted<rl::Gradients>". Pure; any thread.
#pragma once

#include <string>

namespace fdg {

/// Leaves out the namespaces std, fdg and at.
std::string shortType(std::string type);

}  // namespace fdg
