// The part of FragmentHost that lets values cross: sends, receives, and exchanges of producers that
// are consumers too.
#include <algorithm>

#include "runtime/host/AtBoundary.h"
#include "runtime/host/FragmentHost.h"

namespace fdg::host {
namespace {

template <class Ports>
auto& portOf(Ports& ports, int boundary) {
  const auto port = ports.find(boundary);
  if (port == ports.end()) {
    throw std::runtime_error("the plan's code uses a boundary (number " + std::to_string(boundary) +
                             ") that its manifest does not give this fragment, so they do not belong "
                             "together; build the plan again with fdgc");
  }
  return *port->second;
}

}  // namespace

bool FragmentHost::trySend(int boundary, Box& value) {
  // A trace reads the value when it is sent to all; one that has it may have moved it away by then.
  return trySend(boundary, value, /*keeps=*/context_.tracing);
}

bool FragmentHost::trySend(int boundary, Box& value, bool keeps) {
  giveSign();
  const auto port = send_.find(boundary);
  if (port == send_.end()) {
    return true;  // a choice that nobody asks for in this placement
  }
  profile_.reach(Profile::Kind::send, boundary, &value);
  port->second->cutsBlocksOf(blockOf(value));
  if (!port->second->trySend(value, iterations_ - 1, noted_rows_.size(), keeps)) {
    beginWait(boundary);
    return false;
  }
  endWait(/*was_sending=*/true);
  profile_.pass();
  sent_this_iteration_ = sent_this_iteration_ || info(boundary).conditional;
  if (!isReduction(info(boundary).operation)) {
    recordCrossing(info(boundary), value);
  }
  return true;
}

bool FragmentHost::tryReceive(int boundary, Box& value) {
  giveSign();
  profile_.reach(Profile::Kind::receive, boundary, nullptr);
  ReceivePort& port = portOf(receive_, boundary);
  if (!port.tryReceive(value, nullptr, 0, only_newest_inputs_)) {
    if (rule(boundary).mode == place::Mode::newest) {  // its maker may wait for this side
      speak();
    }
    beginWait(boundary);
    return false;
  }
  endWait(/*was_sending=*/false);
  profile_.pass();
  newest_iteration_ = std::max(newest_iteration_, port.producerIteration());
  const BoundaryInfo& boundary_info = info(boundary);
  const auto& members = context_.topology.boundaries[static_cast<size_t>(boundary)].members;
  if (isReduction(boundary_info.operation) && members.front().id == endpoint_.id) {
    recordCrossing(boundary_info, value);
    recordResult(boundary_info, value);
  }
  return true;
}

bool FragmentHost::tryExchange(int boundary, Box& value) {
  giveSign();
  profile_.reach(Profile::Kind::exchange, boundary, &value);
  const auto& topology = context_.topology.boundaries[static_cast<size_t>(boundary)];
  if (!topology.producers_join) {  // drained elsewhere: the term goes, this side keeps its own
    return trySend(boundary, value, /*keeps=*/true);
  }
  const int64_t rows = noted_rows_.size();
  if (!exchanging_.contains(boundary)) {
    if (!portOf(send_, boundary).trySend(value, iterations_ - 1, rows, /*keeps=*/true)) {
      beginWait(boundary);
      return false;
    }
    exchanging_[boundary] = value;
  }
  Box result = value;
  if (!portOf(receive_, boundary).tryReceive(result, &exchanging_[boundary], rows, false)) {
    beginWait(boundary);
    return false;
  }
  exchanging_.erase(boundary);
  endWait(/*was_sending=*/false);
  if (topology.producers.front().id == endpoint_.id) {
    recordCrossing(info(boundary), result);
    recordResult(info(boundary), result);
  }
  value = Box(result.ops(), result.ops().copy(result.data()));
  profile_.pass();
  return true;
}

void FragmentHost::refuseTensor(int boundary, value::Hindrance why) const {
  const std::string& name = info(boundary).name;
  const std::string place = placeOf(info(boundary));
  if (why == value::Hindrance::sparse) {
    throw UserError(place + " has a sparse tensor, and only dense ones cross a boundary: send " +
                    name + ".to_dense()");
  }
  throw UserError(place +
                  (why == value::Hindrance::history ? " carries the history of its computation"
                                                    : " is marked requires_grad") +
                  ", and gradients do not flow across a boundary: send " + name +
                  ".detach(), or keep both sides in one fragment");
}

}  // namespace fdg::host
