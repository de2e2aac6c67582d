// Timings and a placement → what every fragment does in an iteration there. First step of the
// forecast.
//
// The first file gives the steps; others tell, by the different share of the rows they were taken
// with, how a fragment's time depends on its share: on a straight line through the two measured
// shares nearest to the wanted one. With a single share, time is taken to be proportional to rows.
// Refuses timings that lack a fragment or that took a boundary drained which is ordered here.
#pragma once

#include <vector>

#include "base/Manifest.h"
#include "base/Result.h"
#include "runtime/host/Record.h"
#include "runtime/host/Topology.h"

namespace fdg::forecast {

/// The last iterations that all fragments of a rate class have in common.
struct Script {
  std::vector<std::vector<host::StepRecord>> iterations;
  double share = 1;  ///< Of the rows, with which it was measured.
};

using Timings = std::vector<host::ScriptRecord>;

/// Per fragment; without iterations for one that no loop with boundaries has.
Result<std::vector<Script>> scriptsFor(const Manifest& manifest, const place::Placement& placement,
                                       const host::Topology& topology, const Timings& timings);

/// By what the steps' times are to be multiplied for a fragment that has `share` of the rows.
double timeFactor(int fragment, double share, const std::vector<Timings>& measured);

}  // namespace fdg::forecast
