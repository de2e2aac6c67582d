// Plan, placement, cluster and timings → how long an iteration would take there, and what would
// travel.
//
// A discrete-event walk of a few iterations: every fragment of every instance goes through its
// steps; a rank computes one thing at a time, a node as many as it has cores; messages wait for
// their wire (one into and one out of every rank within a node, and every node between them), then
// travel; senders wait for windows. Ordered boundaries wait, drained ones keep `ahead` and
// `behind`, newest ones wait for their first version and by max_staleness. What it leaves out: the
// time to pack, compare and reduce, and everything before and behind the loop. Pure; any thread.
// Refuses what would be more than some 20 million messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/Manifest.h"
#include "base/Result.h"
#include "runtime/forecast/Scripts.h"
#include "runtime/place/Cluster.h"
#include "runtime/place/Placement.h"

namespace fdg::forecast {

/// In one execution.
struct Load {
  double messages = 0;
  double bytes = 0;
};

struct BoundaryLoad {
  double executions = 0;  ///< Per iteration of its producer.
  Load local, within, between;
};

struct FragmentLoad {
  int instances = 0;
  double computing = 0;  ///< Share of the time, over all instances; the rest is waiting.
};

struct Forecast {
  double seconds_per_iteration = 0;  ///< Of the stop group's loop.
  int64_t iterations = 0;            ///< That were walked through.
  std::vector<FragmentLoad> fragments;
  std::vector<BoundaryLoad> boundaries;
};

Result<Forecast> forecast(const Manifest& manifest, const place::Placement& placement,
                          const place::Cluster& cluster, const std::vector<Timings>& measured);

/// As tables for people.
std::string explainForecast(const Manifest& manifest, const Forecast& forecast);

}  // namespace fdg::forecast
