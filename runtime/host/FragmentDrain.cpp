// The part of FragmentHost that drains: what others send at their own rate, and what is left at the
// end.
#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <limits>

#include "runtime/host/FragmentHost.h"
#include "runtime/host/Guards.h"

namespace fdg::host {

/// Behind an outermost loop that ended by its own bound: nothing that was sent is lost. What `pack`
/// holds back goes out, others learn that no more comes, and what they send until they end is
/// drained. Where the run ends with one group the others are cut off wherever they are, and nobody
/// waits for them.
bool FragmentHost::tryFinish(int loop) {
  if (!outermost() || context_.placement.stop_group >= 0) {
    return true;
  }
  is_finishing_ = true;
  pumpDrains();
  for (auto& [boundary, port] : send_) {
    const std::vector<int>& loops = info(boundary).loops;
    if (!loops.empty() && loops.front() == loop && !port->tryFinish(iterations_ - 1)) {
      beginWait(boundary);
      return false;
    }
  }
  for (const auto& [boundary, block] : drains_) {
    if (isDrained(boundary) && !receive_.at(boundary)->dry()) {
      beginWait(boundary);
      return false;
    }
  }
  endWait(/*was_sending=*/false);
  is_finishing_ = false;
  return true;
}

/// It waits, for whatever it may be: others may wait for what it holds back, or for a message that
/// does not come, and learn how far it has come.
bool FragmentHost::speak() {
  bool said = false;
  try {
    for (auto& [boundary, port] : send_) {
      if (isDrained(boundary)) {
        said = port->speak(iterations_ - 1, iterationsOver(boundary)) || said;
      }
    }
  } catch (const Closed&) {
    // it learns that where it sends
  }
  return said;
}

/// Of the outermost loop that the boundary stands in: up to there nothing more is sent.
int64_t FragmentHost::iterationsOver(int boundary) const {
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max() / 2;
  const int loop = info(boundary).loops.front();
  if (places_.empty() || places_.front().loop != loop) {
    return last_loop_ >= loop ? kAll : -1;
  }
  return is_finishing_ ? kAll : iterations_ - (at_head_ ? 1 : 2);
}

/// At the head of an outermost loop.
void FragmentHost::speakWhereUnused(int loop) {
  for (const auto& [boundary, port] : pacing_) {
    if (info(boundary).loops.front() == loop) {
      port->speakIfUnused(iterations_ - 1);
    }
  }
}

/// What any drained boundary of that loop shows of a producer's way.
int64_t FragmentHost::knownOver(int producer, int loop) const {
  int64_t over = -1;
  for (const auto& [boundary, block] : drains_) {
    if (isDrained(boundary) && info(boundary).loops.front() == loop) {
      over = std::max(over, receive_.at(boundary)->knownOver(producer));
    }
  }
  return over;
}

bool FragmentHost::isDrained(int boundary) const {
  return place::isDrained(rule(boundary).mode);
}

/// No other thread runs a drain block any more, until the next are pumped.
void FragmentHost::stopServing() {
  for (auto& [boundary, port] : receive_) {
    port->stopServing();
  }
}

/// The block runs under the guards that it is registered under: those in front of the loop, and not
/// those of whatever waits, or of another thread, when it runs.
void FragmentHost::onDrain(int boundary, const ValueOps& type, std::function<void(Box&)> block) {
  drains_[boundary] = {
      &type, [guards = Guards(), own = gpu(), run = std::move(block)](Box& message) {
        Guards registered = guards;
        const UnderGuards under(registered);
        const c10::OptionalDeviceGuard on(own);
        run(message);
      }};
}

bool FragmentHost::pumpDrains() {
  int64_t taken = 0;
  bool heard = false;
  for (auto& [boundary, block] : drains_) {
    if (!isDrained(boundary)) {
      continue;
    }
    ReceivePort& port = *receive_.at(boundary);
    const auto begun = spans_.beginDrain();
    const double start = profile_.now();
    const int64_t here = is_finishing_ ? port.drainRest(*block.type, block.run)
                                       : port.drain(*block.type, iterations_ - 1, block.run);
    if (here > 0 && rule(boundary).mode == place::Mode::drain) {
      spans_.endDrain(begun, boundary, iterations_ - 1);
      profile_.drained(boundary, profile_.now() - start);
    }
    taken += here;
    heard = port.takeHeard() || heard;
  }
  drained_this_iteration_ = drained_this_iteration_ || taken > 0;
  return taken > 0 || heard;
}

bool FragmentHost::tryDrain(int /*boundary*/) {
  pumpDrains();
  return true;
}

bool FragmentHost::isEmptyIteration() const {
  return !drained_this_iteration_ && !sent_this_iteration_;
}

/// Whether a drained boundary paces its consumer: its producer runs at another rate, and sends in
/// every iteration (one that sends only sometimes says nothing about how far it has come).
bool FragmentHost::paces(int boundary) const {
  return drainsOthers(boundary) && !info(boundary).conditional;
}

/// Drained, and its producer runs at another rate.
bool FragmentHost::drainsOthers(int boundary) const {
  const auto& rate_class = context_.topology.rate_class;
  return isDrained(boundary) && rate_class[static_cast<size_t>(info(boundary).producer)] !=
                                    rate_class[static_cast<size_t>(endpoint_.fragment)];
}

/// All that others sent is used up, and no more can come.
bool FragmentHost::ranDry() const {
  bool drains = false;
  for (const auto& [boundary, block] : drains_) {
    if (drainsOthers(boundary)) {
      if (!receive_.at(boundary)->dry()) {
        return false;
      }
      drains = true;
    }
  }
  return drains;
}

/// Drained inputs keep the program's ratio of learning to acting; with `any` an iteration that
/// would find nothing new waits for a message instead, or for a producer's word that there is none.
bool FragmentHost::mayBeginIteration() {
  for (const auto& [boundary, block] : drains_) {
    if (!paces(boundary)) {
      continue;
    }
    const ReceivePort& port = *receive_.at(boundary);
    const auto known = [&](int producer) {
      return knownOver(producer, info(boundary).loops.front());
    };
    if (!port.mayStart(iterations_, known)) {
      beginWait(boundary);
      return false;
    }
    if (rule(boundary).ahead < 0 && iterations_ > 0 && isEmptyIteration() &&
        !port.mayStartEmpty(iterations_)) {
      beginWait(boundary);
      return false;
    }
  }
  return true;
}

}  // namespace fdg::host
