// Topology: who sends what to whom, for every boundary of a placed plan.
//
// A pure function of manifest and placement, so every rank works out the same channels. An endpoint
// is one fragment in one instance. Cost: producers × consumers per boundary.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/Manifest.h"
#include "runtime/place/Placement.h"
#include "runtime/transport/Channel.h"

namespace fdg::host {

struct Endpoint {
  int id = 0;  ///< instance · fragments + fragment
  int instance = 0;
  int fragment = 0;
  int rank = 0;
  ReplicaRange replicas;
  std::string device = "cpu";  ///< Where its fragment's tensors belong.
};

/// How a producer's value reaches one consumer endpoint.
enum class Share {
  whole,  ///< The value as it is (also a term, or rows that all go there).
  rows,   ///< The rows that the consumer's replicas own.
  check   ///< Only the hash of a whole value, to compare.
};

struct Route {
  int from = 0;  ///< Endpoint ids.
  int to = 0;
  Share share = Share::whole;
  transport::ChannelSpec channel;
};

struct BoundaryTopology {
  std::vector<Endpoint> producers;  ///< In replica order.
  std::vector<Endpoint>
      members;                  ///< Who gets values: consumers, and producers that need the result.
  std::vector<Route> routes;    ///< In order of producer, then member. Own terms need no route.
  bool producers_join = false;  ///< Producers exchange instead of sending.
};

struct Topology {
  std::vector<Endpoint> endpoints;
  std::vector<BoundaryTopology> boundaries;
  /// Per fragment: the set of fragments that run at its rate in this placement (ids of one class
  /// are equal).
  std::vector<int> rate_class;
  /// Per endpoint: those that save their state at the same iteration have equal ones, below
  /// `steps`. A rate class, or an instance that may die: one that was made anew is behind others.
  std::map<int, size_t> step_of;
  size_t steps = 0;
};

Topology layOut(const Manifest& manifest, const place::Placement& placement);

}  // namespace fdg::host
