#include "runtime/forecast/Walk.h"

#include <algorithm>

namespace fdg::forecast {
namespace {

using host::StepRecord;
using Kind = StepRecord::Kind;

/// Of a message beside its value.
constexpr double kHeaderBytes = 64;

}  // namespace

Walk::Walk(const Manifest& manifest, const place::Placement& placement,
           const place::Cluster& cluster, const std::vector<Script>& scripts, Scene scene)
    : manifest_(manifest),
      placement_(placement),
      cluster_(cluster),
      scripts_(scripts),
      scene_(std::move(scene)),
      ranks_(static_cast<size_t>(placement.ranks)),
      rank_out_(ranks_.size()),
      rank_in_(ranks_.size()),
      node_out_(cluster.nodes.size()),
      node_in_(cluster.nodes.size()),
      wanted_(scene_.actors.size()) {
  for (const place::Node& node : cluster.nodes) {
    nodes_.push_back({node.cores, node.ranks <= node.cores, {}});
  }
}

place::Mode Walk::modeOf(int boundary) const {
  return placement_.boundaries[static_cast<size_t>(boundary)].mode;
}

void Walk::at(double time, What what, int subject, int64_t iteration) {
  events_.push({time, numbers_++, what, subject, iteration});
}

bool Walk::run(int64_t iterations) {
  for (size_t actor = 0; actor < scene_.actors.size(); ++actor) {
    go(static_cast<int>(actor));
  }
  const auto isDone = [&](const Actor& actor) {
    return !actor.stops || actor.iteration >= iterations;
  };
  // Looking at all of them after every event would cost more than the events.
  for (int64_t handled = 0;; ++handled) {
    if (handled % static_cast<int64_t>(scene_.actors.size()) == 0 &&
        std::ranges::all_of(scene_.actors, isDone)) {
      return true;
    }
    if (events_.empty()) {
      return std::ranges::all_of(scene_.actors, isDone);
    }
    const Event event = events_.top();
    events_.pop();
    now_ = event.time;
    handle(event);
  }
}

void Walk::handle(const Event& event) {
  if (event.what == What::computed) {
    Actor& actor = scene_.actors[static_cast<size_t>(event.subject)];
    actor.busy += wanted_[static_cast<size_t>(event.subject)];
    actor.is_computing = false;
    actor.has_computed = true;
    const int rank = actor.rank;
    Node& node = nodes_[static_cast<size_t>(scene_.node_of_rank[static_cast<size_t>(rank)])];
    ++node.cores;
    ranks_[static_cast<size_t>(rank)].is_busy = false;
    if (!node.ranks.empty()) {
      const int next = node.ranks.front();
      node.ranks.pop();
      occupyCore(next);
    }
    ranks_[static_cast<size_t>(rank)].idle_since = now_;
    go(event.subject);
    startNext(rank);
    return;
  }
  Channel& channel = scene_.channels[static_cast<size_t>(event.subject)];
  if (event.what == What::room) {
    --channel.in_flight;
    go(channel.from);
    return;
  }
  const double look = event.what == What::noticed ? now_ : nextLook(channel);
  if (look > now_) {
    at(look, What::noticed, event.subject, event.iteration);
    return;
  }
  notice(event.subject, event.iteration);
}

void Walk::notice(int number, int64_t iteration) {
  Channel& channel = scene_.channels[static_cast<size_t>(number)];
  Actor& actor = scene_.actors[static_cast<size_t>(channel.to)];
  channel.there.push_back(iteration);
  ranks_[static_cast<size_t>(actor.rank)].idle_since = now_;
  if (modeOf(channel.boundary) != place::Mode::ordered) {
    takeDrained(number);
  }
  go(channel.to);
}

/// When the consumer's rank will find what has come: over MPI, if it waits, only when it next asks
/// (transport/Waiting.cpp).
double Walk::nextLook(const Channel& channel) const {
  constexpr double kSpin = 50e-6;
  constexpr double kFirstSlice = 200e-6;
  constexpr double kLastSlice = 1e-3;
  const auto number = static_cast<size_t>(scene_.actors[static_cast<size_t>(channel.to)].rank);
  const Rank& rank = ranks_[number];
  if (channel.level == Level::local || !wireOf(channel).is_asked || rank.is_busy) {
    return now_;
  }
  const bool may_spin = nodes_[static_cast<size_t>(scene_.node_of_rank[number])].may_spin;
  double look = rank.idle_since + (may_spin ? kSpin : 0);
  if (now_ <= look) {
    return now_;
  }
  for (double slice = kFirstSlice; look < now_; slice = std::min(2 * slice, kLastSlice)) {
    look += slice;
  }
  return look;
}

const place::Wire& Walk::wireOf(const Channel& channel) const {
  return channel.level == Level::within ? cluster_.within : cluster_.between;
}

const StepRecord* Walk::stepOf(const Actor& actor) const {
  const auto& iterations = scripts_[static_cast<size_t>(actor.fragment)].iterations;
  if (iterations.empty()) {
    return nullptr;
  }
  return &iterations[static_cast<size_t>(actor.iteration) % iterations.size()][actor.step];
}

/// As far as the actor gets without computing or waiting.
void Walk::go(int number) {
  Actor& actor = scene_.actors[static_cast<size_t>(number)];
  while (const StepRecord* step = stepOf(actor)) {
    const double seconds = step->computing * actor.factor;
    if (actor.is_computing) {
      return;
    }
    if (!actor.has_computed && seconds > 0) {
      compute(number, seconds);
      return;
    }
    actor.has_computed = true;
    if (!doStep(number, *step)) {
      return;
    }
    actor.has_computed = false;
    actor.sent = 0;
    if (step->kind == Kind::end) {
      actor.step = 0;
    } else {
      ++actor.step;
    }
  }
}

void Walk::compute(int number, double seconds) {
  Actor& actor = scene_.actors[static_cast<size_t>(number)];
  actor.is_computing = true;
  wanted_[static_cast<size_t>(number)] = seconds;
  ranks_[static_cast<size_t>(actor.rank)].actors.push(number);
  startNext(actor.rank);
}

void Walk::startNext(int number) {
  Rank& rank = ranks_[static_cast<size_t>(number)];
  if (rank.is_busy || rank.actors.empty()) {
    return;
  }
  rank.is_busy = true;
  Node& node = nodes_[static_cast<size_t>(scene_.node_of_rank[static_cast<size_t>(number)])];
  if (node.cores == 0) {
    node.ranks.push(number);
    return;
  }
  occupyCore(number);
}

void Walk::occupyCore(int number) {
  Rank& rank = ranks_[static_cast<size_t>(number)];
  --nodes_[static_cast<size_t>(scene_.node_of_rank[static_cast<size_t>(number)])].cores;
  const int actor = rank.actors.front();
  rank.actors.pop();
  at(now_ + wanted_[static_cast<size_t>(actor)], What::computed, actor);
}

bool Walk::doStep(int number, const StepRecord& step) {
  Actor& actor = scene_.actors[static_cast<size_t>(number)];
  switch (step.kind) {
    case Kind::send:
      return send(number, step);
    case Kind::receive:
      return receive(actor, step.boundary);
    case Kind::exchange:
      return send(number, step) && receive(actor, step.boundary);
    case Kind::drain:
      return true;  // messages are taken when they come; here is the time it costs
    case Kind::end:
      if (!mayBegin(actor, actor.iteration + 1)) {
        return false;
      }
      ++actor.iteration;
      actor.ends.push_back(now_);
      for (const auto& channels : actor.in) {
        for (const int channel : channels) {
          if (place::isDrained(modeOf(scene_.channels[static_cast<size_t>(channel)].boundary))) {
            takeDrained(channel);
          }
        }
      }
      return true;
  }
  return true;
}

bool Walk::send(int number, const StepRecord& step) {
  Actor& actor = scene_.actors[static_cast<size_t>(number)];
  const auto& channels = actor.out[static_cast<size_t>(step.boundary)];
  // In order: a channel without room holds the later ones back, which a run does not; all get
  // theirs before the step is over either way.
  while (actor.sent < channels.size()) {
    const int channel = channels[actor.sent];
    Channel& c = scene_.channels[static_cast<size_t>(channel)];
    const bool has_room = modeOf(c.boundary) == place::Mode::newest || c.in_flight < c.window;
    if (!has_room) {
      return false;
    }
    ++actor.sent;
    transmit(channel, bytesOf(c, step));
  }
  return true;
}

double Walk::bytesOf(const Channel& channel, const StepRecord& step) const {
  const Actor& from = scene_.actors[static_cast<size_t>(channel.from)];
  const OperationKind operation =
      manifest_.boundaries[static_cast<size_t>(channel.boundary)].operation;
  const double value = static_cast<double>(step.bytes) * (hasRows(operation) ? from.bytes : 1);
  return kHeaderBytes + value * channel.part;
}

void Walk::transmit(int number, double bytes) {
  Channel& channel = scene_.channels[static_cast<size_t>(number)];
  const Actor& from = scene_.actors[static_cast<size_t>(channel.from)];
  const Actor& to = scene_.actors[static_cast<size_t>(channel.to)];
  ++channel.in_flight;
  double arrival = now_;
  if (channel.level != Level::local) {
    const bool within = channel.level == Level::within;
    const place::Wire& wire = wireOf(channel);
    const auto from_rank = static_cast<size_t>(from.rank);
    const auto to_rank = static_cast<size_t>(to.rank);
    double& out = within ? rank_out_[from_rank]
                         : node_out_[static_cast<size_t>(scene_.node_of_rank[from_rank])];
    double& in =
        within ? rank_in_[to_rank] : node_in_[static_cast<size_t>(scene_.node_of_rank[to_rank])];
    const double begin = std::max(now_, out);
    out = begin + bytes / wire.bandwidth;
    in = std::max(begin + wire.latency, in) + bytes / wire.bandwidth;
    arrival = in;
  }
  at(arrival, What::arrived, number, from.iteration);
}

bool Walk::receive(Actor& actor, int boundary) {
  if (modeOf(boundary) != place::Mode::ordered) {
    return modeOf(boundary) != place::Mode::newest || readNewest(actor, boundary);
  }
  const auto& channels = actor.in[static_cast<size_t>(boundary)];
  for (const int channel : channels) {
    if (scene_.channels[static_cast<size_t>(channel)].there.empty()) {
      return false;
    }
  }
  for (const int number : channels) {
    Channel& channel = scene_.channels[static_cast<size_t>(number)];
    channel.there.pop_front();
    const double latency = channel.level == Level::local ? 0 : wireOf(channel).latency;
    at(now_ + latency, What::room, number);
  }
  return true;
}

/// Waits for the first version, and where max_staleness says so for a newer one.
bool Walk::readNewest(Actor& actor, int boundary) {
  int64_t& reads = actor.reads[static_cast<size_t>(boundary)];
  const int64_t most = placement_.boundaries[static_cast<size_t>(boundary)].max_staleness;
  const int64_t wanted = most > 0 ? std::max<int64_t>(1, reads + 1 - most) : 1;
  for (const int channel : actor.in[static_cast<size_t>(boundary)]) {
    if (scene_.channels[static_cast<size_t>(channel)].versions < wanted) {
      return false;
    }
  }
  ++reads;
  return true;
}

/// What has arrived over a loosened boundary, as far as `behind` lets it be taken.
void Walk::takeDrained(int number) {
  Channel& channel = scene_.channels[static_cast<size_t>(number)];
  const place::BoundaryRule& rule = placement_.boundaries[static_cast<size_t>(channel.boundary)];
  const int64_t here = scene_.actors[static_cast<size_t>(channel.to)].iteration;
  while (!channel.there.empty() && (rule.mode == place::Mode::newest || rule.behind < 0 ||
                                    channel.there.front() <= here + rule.behind)) {
    channel.reached = channel.there.front();
    ++channel.versions;
    channel.there.pop_front();
    at(now_, What::room, number);
  }
}

/// As FragmentHost::mayBeginIteration, but for `any`, which never waits here.
bool Walk::mayBegin(const Actor& actor, int64_t iteration) const {
  for (const auto& channels : actor.in) {
    for (const int number : channels) {
      const Channel& channel = scene_.channels[static_cast<size_t>(number)];
      const auto boundary = static_cast<size_t>(channel.boundary);
      const place::BoundaryRule& rule = placement_.boundaries[boundary];
      const bool paces =
          place::isDrained(rule.mode) && rule.ahead >= 0 &&
          !manifest_.boundaries[boundary].conditional &&
          scene_.actors[static_cast<size_t>(channel.from)].rate_class != actor.rate_class;
      if (paces && iteration > channel.reached + 1 + rule.ahead) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace fdg::forecast
