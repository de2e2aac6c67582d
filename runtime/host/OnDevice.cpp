#include "runtime/host/OnDevice.h"

#include <algorithm>
#include <utility>

namespace fdg::host {

Box onDevice(Box value, const at::Device& device) {
  value::Parts parts;
  value.ops().pack(value.data(), parts);
  bool moved = false;
  for (at::Tensor& tensor : parts.tensors) {
    if (tensor.defined() && tensor.device() != device) {
      tensor = tensor.to(device);
      moved = true;
    }
  }
  if (!moved) {
    return value;
  }
  Box there(value.ops(), value.ops().make());
  value.ops().unpack(const_cast<void*>(there.data()), parts);
  return there;
}

bool crossesDevices(const BoundaryTopology& topology, const Endpoint& consumer) {
  return consumer.device != "cpu" ||
         std::ranges::any_of(topology.producers, [](const Endpoint& e) { return e.device != "cpu"; });
}

}  // namespace fdg::host
