// A plan file → its manifest, and, once that fits, its code.
//
// readPlanManifest reads the section .fdg.manifest out of the ELF file without loading any of it,
// and refuses what this fdg-run cannot host: no plan at all, a torn file, another manifest,
// interface or LibTorch version. loadPlan then maps the code into this process for good. Every
// refusal says what to do. Any bytes are safe to read; loading runs the plan's code, so load only
// plans you built.
#pragma once

#include <string>

#include "base/Manifest.h"
#include "base/Result.h"
#include "fdg/fragment.h"

namespace fdg {

Result<Manifest> readPlanManifest(const std::string& path);

/// The code of a plan whose manifest was accepted.
Result<const host::PlanCode*> loadPlan(const std::string& path, const Manifest& manifest);

}  // namespace fdg
