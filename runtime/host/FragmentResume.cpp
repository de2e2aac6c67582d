// The part of FragmentHost that takes part in checkpoints.
#include <algorithm>

#include "runtime/host/FragmentHost.h"

namespace fdg::host {

StateBackend* FragmentHost::stateAt(int loop) {
  StateBackend* state = outermost() ? state_.at({loop, currentIteration()}) : nullptr;
  if (state != nullptr) {
    stopServing();  // until the checkpoint is made or read
  }
  return state;
}

void FragmentHost::resumeAt(checkpoint::Point point) {
  places_.front().iteration = point.iteration;
  iterations_ = point.iteration + 1;
}

void FragmentHost::archivePorts(Archive& a) {
  for (auto& [boundary, port] : receive_) {
    port->archive(a);
  }
  for (auto& [boundary, port] : send_) {
    port->archive(a);
  }
  a(newest_iteration_);
}

HoldRecord FragmentHost::hold(int64_t number, int64_t slack) {
  HoldRecord record{number, endpoint_.fragment, endpoint_.replicas.first, {}, false};
  if (!places_.empty() && !is_finishing_ && crossedLoop(places_.front().loop) != nullptr) {
    record.first = state_.hold({places_.front().loop, currentIteration()}, slack);
    return record;
  }
  for (const LoopInfo& loop : context_.manifest.loops) {
    if (loop.id > last_loop_ && std::ranges::count(loop.fragments, endpoint_.fragment) > 0) {
      record.first = state_.hold({loop.id, -1}, slack);
      return record;
    }
  }
  record.ended = true;
  return record;
}

}  // namespace fdg::host
