#include "runtime/forecast/Scene.h"

#include <algorithm>
#include <map>

namespace fdg::forecast {
namespace {

double shareOf(const ReplicaRange& replicas) {
  return static_cast<double>(replicas.size()) / static_cast<double>(replicas.count);
}

/// The part of the producer's rows that the consumer owns.
double overlap(const ReplicaRange& producer, const ReplicaRange& consumer) {
  const auto place = [](int64_t replica, int64_t count) {
    return static_cast<double>(replica) / static_cast<double>(count);
  };
  const double begin =
      std::max(place(producer.first, producer.count), place(consumer.first, consumer.count));
  const double end =
      std::min(place(producer.last, producer.count), place(consumer.last, consumer.count));
  return std::max(0.0, end - begin) / shareOf(producer);
}

bool isInGroup(const place::Placement& placement, const host::Endpoint& endpoint, int group) {
  return group < 0 || placement.instances[static_cast<size_t>(endpoint.instance)].group == group;
}

}  // namespace

bool hasRows(OperationKind operation) {
  return operation == OperationKind::gather || operation == OperationKind::scatter ||
         operation == OperationKind::append || operation == OperationKind::all_gather;
}

Scene layScene(const Manifest& manifest, const place::Placement& placement,
               const host::Topology& topology, const place::Cluster& cluster,
               const std::vector<Script>& scripts, const std::vector<Timings>& measured) {
  Scene scene;
  scene.node_of_rank = place::nodesOfRanks(cluster, placement.ranks);
  std::map<int, int> actor_of;  // by endpoint
  for (const host::Endpoint& endpoint : topology.endpoints) {
    const auto fragment = static_cast<size_t>(endpoint.fragment);
    Actor actor;
    actor.fragment = endpoint.fragment;
    actor.rank = endpoint.rank;
    actor.rate_class = topology.rate_class[fragment];
    actor.factor = timeFactor(endpoint.fragment, shareOf(endpoint.replicas), measured);
    actor.bytes = shareOf(endpoint.replicas) / scripts[fragment].share;
    actor.stops = isInGroup(placement, endpoint, placement.stop_group) &&
                  !scripts[fragment].iterations.empty();
    actor.out.resize(manifest.boundaries.size());
    actor.in.resize(manifest.boundaries.size());
    actor.reads.resize(manifest.boundaries.size());
    actor_of[endpoint.id] = static_cast<int>(scene.actors.size());
    scene.actors.push_back(std::move(actor));
  }
  for (size_t b = 0; b < topology.boundaries.size(); ++b) {
    for (const host::Route& route : topology.boundaries[b].routes) {
      Channel channel;
      channel.boundary = static_cast<int>(b);
      channel.from = actor_of.at(route.from);
      channel.to = actor_of.at(route.to);
      channel.window = route.channel.window;
      const auto from = static_cast<size_t>(route.channel.from_rank);
      const auto to = static_cast<size_t>(route.channel.to_rank);
      channel.level = from == to                                           ? Level::local
                      : scene.node_of_rank[from] == scene.node_of_rank[to] ? Level::within
                                                                           : Level::between;
      if (route.share == host::Share::check) {
        channel.part = 0;
      } else if (route.share == host::Share::rows) {
        const auto replicasOf = [&](int actor) {
          return topology.endpoints[static_cast<size_t>(actor)].replicas;
        };
        channel.part = overlap(replicasOf(channel.from), replicasOf(channel.to));
      }
      const auto number = static_cast<int>(scene.channels.size());
      scene.actors[static_cast<size_t>(channel.from)].out[b].push_back(number);
      scene.actors[static_cast<size_t>(channel.to)].in[b].push_back(number);
      scene.channels.push_back(std::move(channel));
    }
  }
  return scene;
}

}  // namespace fdg::forecast
