#include "runtime/host/Topology.h"

#include <algorithm>
#include <numeric>

namespace fdg::host {
namespace {

bool contains(const std::vector<int>& list, int value) {
  return std::ranges::find(list, value) != list.end();
}

std::vector<Endpoint> endpointsOf(const Topology& topology, int fragment) {
  std::vector<Endpoint> found;
  for (const Endpoint& endpoint : topology.endpoints) {
    if (endpoint.fragment == fragment) {
      found.push_back(endpoint);
    }
  }
  std::ranges::sort(found, {}, [](const Endpoint& e) { return e.replicas.first; });
  return found;
}

bool sameReplicas(const std::vector<Endpoint>& a, const std::vector<Endpoint>& b) {
  return std::ranges::equal(a, b, {}, &Endpoint::replicas, &Endpoint::replicas);
}

/// The producer whose value (of equal ones) consumer `c` takes: neighbours share neighbours.
const Endpoint& designated(const std::vector<Endpoint>& producers, const Endpoint& consumer) {
  const int64_t replica =
      consumer.replicas.first * producers.front().replicas.count / consumer.replicas.count;
  return *std::ranges::find_if(producers,
                               [&](const Endpoint& p) { return replica < p.replicas.last; });
}

/// The consumer that gets the whole messages of producer `p`.
const Endpoint& appendTarget(const std::vector<Endpoint>& consumers, const Endpoint& producer) {
  const int64_t replica =
      producer.replicas.first * consumers.front().replicas.count / producer.replicas.count;
  return *std::ranges::find_if(consumers,
                               [&](const Endpoint& c) { return replica < c.replicas.last; });
}

class RouteMaker {
 public:
  RouteMaker(const BoundaryInfo& info, const place::BoundaryRule& rule, BoundaryTopology& out)
      : info_(info), rule_(rule), out_(out) {}

  void rowsBetween(const std::vector<Endpoint>& consumers) {
    const bool matched = sameReplicas(out_.producers, consumers);
    for (size_t p = 0; p < out_.producers.size(); ++p) {
      for (size_t c = 0; c < consumers.size(); ++c) {
        if (matched && p != c) {
          continue;
        }
        add(out_.producers[p], consumers[c],
            matched || consumers.size() == 1 ? Share::whole : Share::rows);
      }
    }
  }

  void appendTo(const std::vector<Endpoint>& consumers) {
    if (consumers.size() > out_.producers.size()) {
      throw UserError("boundary " + info_.name + " (line " + std::to_string(info_.line) +
                      ") appends from " + std::to_string(out_.producers.size()) + " producers to " +
                      std::to_string(consumers.size()) +
                      " consumers: some would never get a message; use at most as many consumers");
    }
    for (const Endpoint& producer : out_.producers) {
      add(producer, appendTarget(consumers, producer), Share::whole);
    }
  }

  void wholes(const std::vector<Endpoint>& consumers) {
    for (const Endpoint& producer : out_.producers) {
      for (const Endpoint& consumer : consumers) {
        const bool chosen = designated(out_.producers, consumer).id == producer.id;
        if (chosen || rule_.mode == place::Mode::ordered) {
          add(producer, consumer, chosen ? Share::whole : Share::check);
        }
      }
    }
  }

  void everyTerm(const std::vector<Endpoint>& members) {
    for (const Endpoint& producer : out_.producers) {
      for (const Endpoint& member : members) {
        if (producer.id != member.id) {
          add(producer, member, Share::whole);
        }
      }
    }
  }

 private:
  void add(const Endpoint& from, const Endpoint& to, Share share) {
    transport::ChannelSpec spec;
    spec.boundary = info_.id;
    spec.producer = from.id;
    spec.consumer = to.id;
    spec.from_rank = from.rank;
    spec.to_rank = to.rank;
    spec.flow = rule_.mode == place::Mode::newest        ? transport::Flow::newest
                : rule_.mode == place::Mode::inline_call ? transport::Flow::called
                                                         : transport::Flow::ordered;
    spec.window = rule_.window;
    spec.held = info_.held;
    out_.routes.push_back({from.id, to.id, share, spec});
  }

  const BoundaryInfo& info_;
  const place::BoundaryRule& rule_;
  BoundaryTopology& out_;
};

BoundaryTopology layOutBoundary(const Topology& topology, const BoundaryInfo& info,
                                const place::BoundaryRule& rule) {
  BoundaryTopology out;
  out.producers = endpointsOf(topology, info.producer);
  RouteMaker make(info, rule, out);
  const bool joins = isReduction(info.operation) || info.operation == OperationKind::all_gather;
  out.producers_join = joins && rule.mode == place::Mode::ordered &&
                       (info.producer_needs_result || contains(info.consumers, info.producer));
  for (const int fragment : info.consumers) {
    if (fragment == info.producer) {
      continue;
    }
    const std::vector<Endpoint> consumers = endpointsOf(topology, fragment);
    out.members.insert(out.members.end(), consumers.begin(), consumers.end());
    if (joins && rule.mode == place::Mode::ordered) {
      make.everyTerm(consumers);
    } else if (info.operation == OperationKind::broadcast || rule.mode == place::Mode::newest) {
      make.wholes(consumers);
    } else if (info.operation == OperationKind::append || place::isDrained(rule.mode)) {
      make.appendTo(consumers);
    } else {
      make.rowsBetween(consumers);
    }
  }
  if (out.producers_join) {
    const std::vector<Endpoint> producers = out.producers;
    out.members.insert(out.members.end(), producers.begin(), producers.end());
    make.everyTerm(producers);
  }
  return out;
}

/// A choice that only leads to a boundary which is drained here: nobody asks.
bool isUnused(const BoundaryInfo& boundary, const place::Placement& placement) {
  return boundary.only_for_drain >= 0 &&
         place::isDrained(
             placement.boundaries[static_cast<size_t>(boundary.only_for_drain)].mode);
}

/// Fragments joined by ordered boundaries, as the number of the smallest fragment of each class.
std::vector<int> rateClasses(const Manifest& manifest, const place::Placement& placement) {
  std::vector<int> root(manifest.fragments.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int f) {
    while (root[static_cast<size_t>(f)] != f) {
      f = root[static_cast<size_t>(f)];
    }
    return f;
  };
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    const auto& rule = placement.boundaries[static_cast<size_t>(boundary.id)];
    if (rule.mode != place::Mode::ordered || isUnused(boundary, placement)) {
      continue;
    }
    for (const int consumer : boundary.consumers) {
      const int a = find(boundary.producer);
      const int b = find(consumer);
      root[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (size_t f = 0; f < root.size(); ++f) {
    root[f] = find(static_cast<int>(f));
  }
  return root;
}

}  // namespace

Topology layOut(const Manifest& manifest, const place::Placement& placement) {
  Topology topology;
  const auto fragments = static_cast<int>(manifest.fragments.size());
  for (const place::Instance& instance : placement.instances) {
    for (const int fragment : instance.fragments) {
      topology.endpoints.push_back({instance.id * fragments + fragment, instance.id, fragment,
                                    instance.rank, instance.replicas, instance.device});
    }
  }
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    topology.boundaries.push_back(
        isUnused(boundary, placement)
            ? BoundaryTopology{}
            : layOutBoundary(topology, boundary,
                             placement.boundaries[static_cast<size_t>(boundary.id)]));
  }
  topology.rate_class = rateClasses(manifest, placement);
  topology.steps = manifest.fragments.size() + placement.instances.size();
  for (const Endpoint& endpoint : topology.endpoints) {
    const bool may_die =
        !placement.may_die.empty() && placement.may_die[static_cast<size_t>(endpoint.rank)];
    topology.step_of[endpoint.id] =
        may_die ? manifest.fragments.size() + static_cast<size_t>(endpoint.instance)
                : static_cast<size_t>(topology.rate_class[static_cast<size_t>(endpoint.fragment)]);
  }
  return topology;
}

}  // namespace fdg::host
