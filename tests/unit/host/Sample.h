// A plan of two fragments and one boundary, placed by hand: what the host's tests start from.
#pragma once

#include "base/Manifest.h"
#include "runtime/place/Placement.h"

namespace fdg::host {

inline Manifest twoFragments(OperationKind operation) {
  Manifest manifest;
  manifest.program = "sample";
  manifest.fragments.resize(2);
  manifest.fragments[0].name = "producer";
  manifest.fragments[1].id = 1;
  manifest.fragments[1].name = "consumer";
  BoundaryInfo boundary;
  boundary.name = "value";
  boundary.operation = operation;
  boundary.producer = 0;
  boundary.consumers = {1};
  boundary.line = 7;
  manifest.boundaries = {boundary};
  return manifest;
}

/// `producers` and `consumers` replicas, each an instance of its own, all on rank 0; `fused` > 1
/// joins that many neighbouring producers into one instance.
inline place::Placement placed(int64_t producers, int64_t consumers, int64_t fused = 1) {
  place::Placement placement;
  placement.groups = {"producers", "consumers"};
  placement.replicas = {producers, consumers};
  placement.boundaries.resize(1);
  const auto add = [&](int group, int64_t first, int64_t last, int64_t count) {
    place::Instance instance;
    instance.id = static_cast<int>(placement.instances.size());
    instance.group = group;
    instance.replicas = {first, last, count};
    instance.fragments = {group};
    placement.instances.push_back(instance);
  };
  for (int64_t r = 0; r < producers; r += fused) {
    add(0, r, std::min(r + fused, producers), producers);
  }
  for (int64_t r = 0; r < consumers; ++r) {
    add(1, r, r + 1, consumers);
  }
  return placement;
}

}  // namespace fdg::host
