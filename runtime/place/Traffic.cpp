#include "runtime/place/Traffic.h"

#include <algorithm>

#include "runtime/place/Rules.h"

namespace fdg::place {
namespace {

using Instances = std::vector<const Instance*>;

Instances instancesOf(const Placement& placement, int fragment) {
  Instances found;
  for (const Instance& instance : placement.instances) {
    if (std::ranges::find(instance.fragments, fragment) != instance.fragments.end()) {
      found.push_back(&instance);
    }
  }
  return found;
}

bool sameReplicas(const Instances& a, const Instances& b) {
  return std::ranges::equal(
      a, b, {}, [](const Instance* i) { return i->replicas; },
      [](const Instance* i) { return i->replicas; });
}

/// The neighbour of `one` among `others`: where replicas r of n go to replicas ⌊r·m/n⌋ of m.
size_t neighbour(const Instance& one, const Instances& others) {
  const int64_t replica = one.replicas.first * others.front()->replicas.count / one.replicas.count;
  const auto found =
      std::ranges::find_if(others, [&](const Instance* o) { return replica < o->replicas.last; });
  return static_cast<size_t>(found - others.begin());
}

class Counter {
 public:
  explicit Counter(const std::vector<int>& node_of_rank) : node_of_rank_(node_of_rank) {}

  void add(const Instance& from, const Instance& to) {
    if (from.rank == to.rank) {
      ++traffic.local;
    } else if (node_of_rank_[static_cast<size_t>(from.rank)] ==
               node_of_rank_[static_cast<size_t>(to.rank)]) {
      ++traffic.shared;
    } else {
      ++traffic.remote;
    }
  }

  void everyPair(const Instances& from, const Instances& to) {
    for (const Instance* one : from) {
      for (const Instance* other : to) {
        add(*one, *other);
      }
    }
  }

  void everyOther(const Instances& instances) {
    for (const Instance* one : instances) {
      for (const Instance* other : instances) {
        if (one != other) {
          add(*one, *other);
        }
      }
    }
  }

  Traffic traffic;

 private:
  const std::vector<int>& node_of_rank_;
};

/// One consuming fragment that is not the producer.
void countConsumer(Counter& counter, const BoundaryInfo& boundary, Mode mode,
                   const Instances& producers, const Instances& consumers) {
  const bool ordered = mode == Mode::ordered;
  const bool joins =
      isReduction(boundary.operation) || boundary.operation == OperationKind::all_gather;
  if (boundary.operation == OperationKind::broadcast || mode == Mode::newest) {
    // Ordered, every producer's whole is compared: those that do not send the value send its hash.
    if (ordered) {
      counter.everyPair(producers, consumers);
    } else {
      for (const Instance* consumer : consumers) {
        counter.add(*producers[neighbour(*consumer, producers)], *consumer);
      }
    }
  } else if (!joins && ordered && boundary.operation != OperationKind::append &&
             sameReplicas(producers, consumers)) {
    for (size_t i = 0; i < producers.size(); ++i) {
      counter.add(*producers[i], *consumers[i]);
    }
  } else if (boundary.operation == OperationKind::append || isDrained(mode)) {
    for (const Instance* producer : producers) {
      counter.add(*producer, *consumers[neighbour(*producer, consumers)]);
    }
  } else {
    counter.everyPair(producers, consumers);
  }
}

}  // namespace

std::vector<Traffic> predictTraffic(const Manifest& plan, const Placement& placement,
                                    const std::vector<int>& node_of_rank) {
  std::vector<Instances> instances;
  for (const auto& fragment : plan.fragments) {
    instances.push_back(instancesOf(placement, fragment.id));
  }
  std::vector<Traffic> all;
  for (const auto& boundary : plan.boundaries) {
    Counter counter(node_of_rank);
    const Mode mode = placement.boundaries[static_cast<size_t>(boundary.id)].mode;
    const auto& producers = instances[static_cast<size_t>(boundary.producer)];
    bool own = boundary.producer_needs_result;
    if (!isUnused(placement.boundaries, boundary)) {
      for (const int consumer : boundary.consumers) {
        if (consumer == boundary.producer) {
          own = true;
        } else {
          countConsumer(counter, boundary, mode, producers,
                        instances[static_cast<size_t>(consumer)]);
        }
      }
      const bool joins =
          isReduction(boundary.operation) || boundary.operation == OperationKind::all_gather;
      if (own && joins && mode == Mode::ordered) {
        counter.everyOther(producers);
      }
    }
    all.push_back(counter.traffic);
  }
  return all;
}

}  // namespace fdg::place
