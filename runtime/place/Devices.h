// A policy's devices → the device of every instance.
//
// The ranks of a group that lie on one node take its GPUs (or those that the policy lists) in turn.
// Refuses, as a sentence with the policy's place, a GPU that is not there. No CUDA: a node's number
// of GPUs is all it knows.
#pragma once

#include <string>
#include <vector>

#include "runtime/place/Placement.h"

namespace fdg::place {

/// Whether a group's tensors belong on a GPU.
bool wantsGpu(const Group& group);
/// A sentence if one of the groups (those that own fragments) wants a GPU and no node has any.
std::string lackOfGpus(const Policy& policy, const std::vector<std::vector<int>>& owned,
                       const Cluster& cluster);
/// Fills in `device` ("cpu", "cuda:1"); a sentence if one is not there, else empty.
std::string assignDevices(const Policy& policy, const Cluster& cluster, Placement& placement);

}  // namespace fdg::place
