// Senders and receivers of one boundary, all in one process: what the ports' tests start from.
#pragma once

#include "runtime/host/ReceivePort.h"
#include "tests/unit/host/Sample.h"

namespace fdg::host {

using Rowed = std::tuple<at::Tensor>;

/// All ports of the one boundary, in one process.
class Exchange {
 public:
  Exchange(OperationKind operation, place::Placement placement)
      : manifest_(twoFragments(operation)),
        placement_(std::move(placement)),
        topology_(layOut(manifest_, placement_)),
        transport_(transport::makeLocalTransport()) {
    for (const Endpoint& endpoint : topology_.endpoints) {
      if (endpoint.fragment == 0) {
        senders_.push_back(
            std::make_unique<SendPort>(manifest_.boundaries[0], placement_.boundaries[0],
                                       topology_.boundaries[0], endpoint, *transport_));
        producers_.push_back(endpoint);
      } else {
        receivers_.push_back(
            std::make_unique<ReceivePort>(manifest_.boundaries[0], placement_.boundaries[0],
                                          topology_.boundaries[0], endpoint, *transport_));
        consumers_.push_back(endpoint);
      }
    }
    transport_->connect();
  }

  bool send(size_t producer, const at::Tensor& t, int64_t iteration = 0) {
    Box value = Box::of(Rowed(t));
    return senders_[producer]->trySend(value, iteration, t.dim() > 0 ? t.size(0) : 0, false);
  }
  std::optional<at::Tensor> receive(size_t consumer) {
    Box box(opsOf<Rowed>(), nullptr);
    if (!receivers_[consumer]->tryReceive(box, nullptr, 0, false)) {
      return std::nullopt;
    }
    return std::get<0>(box.get<Rowed>());
  }
  SendPort& sender(size_t i) { return *senders_[i]; }
  ReceivePort& receiver(size_t i) { return *receivers_[i]; }
  const std::vector<Endpoint>& producers() const { return producers_; }
  const std::vector<Endpoint>& consumers() const { return consumers_; }

 private:
  Manifest manifest_;
  place::Placement placement_;
  Topology topology_;
  std::unique_ptr<transport::Transport> transport_;
  std::vector<std::unique_ptr<SendPort>> senders_;
  std::vector<std::unique_ptr<ReceivePort>> receivers_;
  std::vector<Endpoint> producers_, consumers_;
};

}  // namespace fdg::host
