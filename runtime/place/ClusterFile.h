// YAML → a cluster that is described instead of present, for --dry-run. docs/runtime.md, "A cluster
// that is not there", has the keys. Every mistake is reported as file:line:column; no bytes crash
// it.
#pragma once

#include <string>

#include "base/Result.h"
#include "runtime/place/Cluster.h"

namespace fdg::place {

/// From YAML text; `file` is for messages.
Result<Cluster> readCluster(const std::string& text, const std::string& file);

}  // namespace fdg::place
