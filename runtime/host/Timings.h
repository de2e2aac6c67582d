// Timings: what each fragment of a run did in its last iterations, as a file that --dry-run reads
// for an estimate. JSON; docs/runtime.md, "A cluster that is not there".
//
// Reading refuses anything but timings of the same source, with a sentence. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "base/Result.h"
#include "runtime/host/Record.h"

namespace fdg::host {

std::string writeTimings(const Manifest& manifest, const std::vector<ScriptRecord>& scripts);

/// Throws UserError if the file cannot be written.
void saveTimings(const std::string& file, const Manifest& manifest,
                 const std::vector<ScriptRecord>& scripts);

/// One script per fragment that has a loop with boundaries. `file` is for messages.
Result<std::vector<ScriptRecord>> readTimings(const std::string& json, const std::string& file,
                                              const Manifest& manifest);

}  // namespace fdg::host
