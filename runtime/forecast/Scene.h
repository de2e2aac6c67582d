// Everything the walk moves: actors (fragments of instances) and the channels between them. Second
// step of the forecast: laid out once from placement, scripts and timings.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/forecast/Scripts.h"
#include "runtime/host/Topology.h"
#include "runtime/place/Cluster.h"

namespace fdg::forecast {

enum class Level { local, within, between };

struct Channel {
  int boundary = 0;
  int from = 0;  ///< Actors.
  int to = 0;
  Level level = Level::local;
  double part = 1;  ///< Of the producer's value.
  int window = 2;
  // While it runs:
  int in_flight = 0;          ///< Sent, and its room not given back.
  std::deque<int64_t> there;  ///< Iterations of the producer whose messages have arrived.
  int64_t reached = -1;       ///< Of the last message taken.
  int64_t versions = 0;       ///< Newest: that have arrived.
};

struct Actor {
  int fragment = 0;
  int rank = 0;
  int rate_class = 0;
  double factor = 1;                      ///< On the script's times.
  double bytes = 1;                       ///< On the bytes of values with rows.
  bool stops = false;                     ///< The run ends with its loop.
  std::vector<std::vector<int>> out, in;  ///< Channels by boundary.
  // While it runs:
  int64_t iteration = 0;
  size_t step = 0;
  bool is_computing = false;  ///< Or waits for its rank or a core.
  bool has_computed = false;
  std::vector<int64_t> reads;  ///< Newest values that it has read, by boundary.
  size_t sent = 0;             ///< Channels of the step at hand that have their message.
  double busy = 0;
  std::vector<double> ends;  ///< When its iterations ended.
};

struct Scene {
  std::vector<Actor> actors;
  std::vector<Channel> channels;
  std::vector<int> node_of_rank;
};

Scene layScene(const Manifest& manifest, const place::Placement& placement,
               const host::Topology& topology, const place::Cluster& cluster,
               const std::vector<Script>& scripts, const std::vector<Timings>& measured);

/// Whether a producer's value holds its share of the rows.
bool hasRows(OperationKind operation);

}  // namespace fdg::forecast
