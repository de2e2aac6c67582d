// A value → the same value with its tensors where a fragment's tensors belong.
//
// What is there already stays as it is, and a value without other tensors is passed on. Any thread.
#pragma once

#include <string>

#include "fdg/fragment.h"
#include "runtime/host/Topology.h"

namespace fdg::host {

Box onDevice(Box value, const at::Device& device);

/// Whether values of this boundary may come from elsewhere, or have to go there.
bool crossesDevices(const BoundaryTopology& topology, const Endpoint& consumer);

}  // namespace fdg::host
