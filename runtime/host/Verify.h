// Verify: is a distributed run the sequential one?
//
// Bit for bit: every value that crossed, every logged whole value and what was saved. Where a
// reduction joins floating-point terms of several replicas, equality with the sequential run is to
// rounding: then the first result of each reduction must be within 1e-5 (relative to its largest
// number), and the run must equal, bit for bit, the same replicas in one process. A boundary that
// never fired proves nothing.
#pragma once

#include <functional>
#include <string>

#include "runtime/host/Trace.h"
#include "runtime/place/Placement.h"

namespace fdg::host {

struct Verdict {
  bool equal = false;
  std::string text;  ///< One or more lines for a person.
};

/// Whether some boundary reduces terms of several replicas, so that rounding differs from
/// sequential.
bool reordersRounding(const Manifest& manifest, const place::Placement& placement);

Verdict compareBits(const Manifest& manifest, const Trace& run, const Trace& oracle,
                    const char* oracle_name);
Verdict compareFirstResults(const Manifest& manifest, const Trace& run, const Trace& oracle);

struct Oracles {
  std::function<Trace()> sequential;
  std::function<Trace()> in_process;  ///< The same replicas in one process.
};
/// Compares the run with what it needs of its oracles, and says the verdicts: 0 equal, 1 not.
int judgeTrace(const Manifest& manifest, const place::Placement& placement, const Trace& run,
               int64_t iterations, const Oracles& oracles);

/// The name and line of an annotation that was never reached; empty if all were.
std::string neverFired(const Manifest& manifest, const Trace& run);

}  // namespace fdg::host
