#include "runtime/host/FragmentHost.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/Names.h"
#include "core/Safetensors.h"
#include "runtime/host/Pace.h"

namespace fdg::host {
FragmentHost::FragmentHost(HostContext& context, const Endpoint& endpoint)
    : context_(context),
      endpoint_(endpoint),
      state_(context.checkpoint, context.manifest, endpoint_, context.in_step, context.batch,
             [this](Archive& a) { archivePorts(a); }),
      spans_(endpoint_, context.keeps_spans ? &context.batch.spans : nullptr),
      profile_(endpoint_, context.profiles),
      waited_(context.manifest.boundaries.size()) {
  state_.onRestored([this](checkpoint::Point point) { resumeAt(point); });
  for (const BoundaryInfo& boundary : context.manifest.boundaries) {
    const auto& topology = context.topology.boundaries[static_cast<size_t>(boundary.id)];
    const auto isSelf = [&](const Endpoint& e) { return e.id == endpoint.id; };
    if (std::ranges::any_of(topology.producers, isSelf)) {
      send_[boundary.id] = std::make_unique<SendPort>(boundary, rule(boundary.id), topology,
                                                      endpoint, context.transport);
    }
    if (std::ranges::any_of(topology.members, isSelf)) {
      receive_[boundary.id] = std::make_unique<ReceivePort>(boundary, rule(boundary.id), topology,
                                                            endpoint, context.transport);
    }
  }
  const Pace pace =
      paceOf(context.manifest, context.placement, context.topology, endpoint.fragment);
  free_running_ = pace.beside_stop_group && context.iteration_limit == 0;
  only_newest_inputs_ = pace.only_follows;
  for (auto& [boundary, port] : send_) {
    if (rule(boundary).mode != place::Mode::ordered && !free_running_) {
      port->goOnAlone();
    }
    if (rule(boundary).mode == place::Mode::ordered && free_running_) {
      port->endWithAny();
    }
    if (isDrained(boundary) && !info(boundary).conditional) {
      pacing_.emplace_back(boundary, port.get());
    }
  }
}

const std::string& FragmentHost::name() const {
  return context_.manifest.fragments[static_cast<size_t>(endpoint_.fragment)].name;
}

std::string FragmentHost::whoIs() const {
  return "fragment " + name() + ", replica " + std::to_string(endpoint_.replicas.first);
}

std::string FragmentHost::placeAt(int64_t iteration) const {
  return whoIs() + ", iteration " + std::to_string(iteration);
}

std::optional<at::Device> FragmentHost::gpu() const {
  return device().is_cpu() ? std::nullopt : std::optional(device());
}

void FragmentHost::beginWait(int boundary) {
  waiting_on_ = boundary;
  if (!waiting_since_ && !begins_waiting_) {
    begins_waiting_ = true;
    spans_.beginWait(iterations_ - 1);
  }
}

void FragmentHost::endTurn(std::chrono::steady_clock::time_point now) {
  if (begins_waiting_) {
    begins_waiting_ = false;
    waiting_since_ = now;
  }
}

void FragmentHost::endWait(bool was_sending) {
  if (waiting_since_ || begins_waiting_) {
    const auto waited = turn_ - waiting_since_.value_or(turn_);
    begins_waiting_ = false;
    waited_[static_cast<size_t>(waiting_on_)] += waited;
    sending_ += was_sending ? waited : waited.zero();
    waiting_since_.reset();
    spans_.endWait(was_sending ? SpanRecord::Kind::send : SpanRecord::Kind::wait, waiting_on_,
                   iterations_ - 1);
  }
  waiting_on_ = -1;
}

/// The first of a turn does with the time of its begin; one turn may last the whole run.
void FragmentHost::tick() {
  context_.tick(std::exchange(is_fresh_, false) ? std::optional(turn_) : std::nullopt);
}

void FragmentHost::enterLoop(int loop) {
  places_.push_back({loop, -1});
  if (outermost()) {
    iterations_ = 0;
    last_loop_ = loop;
    if (crossedLoop(loop) != nullptr) {
      profile_.beginLoop();
    }
  }
}

void FragmentHost::leaveLoop(int /*loop*/) {
  if (outermost()) {
    profile_.endIteration();
  }
  places_.pop_back();
  if (places_.empty()) {
    stopServing();
    drains_.clear();  // the blocks refer to variables of the loop's surroundings
  }
}

bool FragmentHost::tryNext(int loop, bool& go_on) {
  go_on = true;
  giveSign();
  if (!outermost()) {
    tick();
    ++places_.back().iteration;
    return true;
  }
  profile_.reach(Profile::Kind::end, -1, nullptr);
  tick();
  at_head_ = true;
  speakWhereUnused(loop);
  const bool crosses = crossedLoop(loop) != nullptr;
  if (crosses && context_.iteration_limit > 0 &&
      places_.back().iteration + 1 >= context_.iteration_limit) {
    go_on = false;
    return true;
  }
  if (crosses && !state_.mayBegin({loop, places_.back().iteration + 1})) {
    return false;
  }
  if (!drains_.empty()) {
    pumpDrains();
    if (free_running_ && ranDry()) {
      endWait(/*was_sending=*/false);
      go_on = false;
      return true;
    }
    if (!mayBeginIteration()) {
      return false;
    }
  }
  endWait(/*was_sending=*/false);
  drained_this_iteration_ = false;
  sent_this_iteration_ = false;
  at_head_ = false;
  ++places_.back().iteration;
  ++iterations_;
  if (crosses) {
    profile_.beginIteration(places_.back().iteration);
  }
  return true;
}

/// The loop, if boundaries cross it.
const LoopInfo* FragmentHost::crossedLoop(int loop) const {
  const auto info = std::ranges::find(context_.manifest.loops, loop, &LoopInfo::id);
  return info != context_.manifest.loops.end() && info->has_boundary ? &*info : nullptr;
}

bool FragmentHost::goesOn(int /*loop*/, bool condition) {
  return condition || (free_running_ && outermost());
}

Position FragmentHost::position() const {
  Position position;
  for (const LoopPlace& place : places_) {
    position.push_back(place.loop);
    position.push_back(place.iteration);
  }
  position.push_back(statement_);
  return position;
}

int64_t FragmentHost::currentIteration() const {
  return places_.empty() ? -1 : places_.front().iteration;
}

/// One that waits outside all loops is behind those that stand above what it waits for.
Position FragmentHost::reached() const {
  if (!places_.empty()) {
    return {places_[0].loop, places_[0].iteration};
  }
  Position reached = {statement_};
  if (waiting_on_ >= 0 && info(waiting_on_).loops.empty()) {
    for (const LoopInfo& loop : context_.manifest.loops) {
      if (loop.parent < 0 && loop.line < info(waiting_on_).line) {
        reached = std::max(reached, Position{loop.id, std::numeric_limits<int64_t>::max()});
      }
    }
  }
  return reached;
}

/// What is not cut of a value with as many rows as the program asked for.
int64_t FragmentHost::blockOf(const Box& value) const {
  if (blocks_.empty() || !value.hasValue()) {  // a value that is on its way is cut already
    return 1;
  }
  const auto block = blocks_.find(value.ops().rows(value.data()).value_or(0));
  return block == blocks_.end() ? 1 : block->second;
}

void FragmentHost::noteRows(Rows rows, int64_t block) {
  if (block > 1) {
    blocks_[rows.size()] = block;
  }
  if (rows.total > noted_rows_.total) {
    noted_rows_ = rows;
  }
}

int64_t FragmentHost::iterationForLogs() const {
  return only_newest_inputs_ ? newest_iteration_ : currentIteration();
}

void FragmentHost::log(std::string_view key, double value, double weight) {
  giveSign();
  if (weight == 0) {
    return;
  }
  checkLogKey(key);
  Position here = position();
  if (!state_.isBefore(here)) {
    context_.batch.logs.push_back({std::move(here), std::string(key), value, weight,
                                   std::max<int64_t>(0, iterationForLogs()),
                                   endpoint_.replicas.first});
  }
}

void FragmentHost::save(std::string_view name, const NamedTensors& tensors) {
  giveSign();
  checkSavedName(name);
  SaveRecord save;
  save.position = position();
  if (state_.isBefore(save.position)) {
    return;
  }
  save.name = name;
  save.fragment = endpoint_.fragment;
  save.execution = saves_[save.name]++;
  save.replica = endpoint_.replicas.first;
  save.hash = hashOf(tensors);
  // One replica sends it; where that may die, each does.
  const std::vector<bool>& may_die = context_.placement.may_die;
  const bool sends =
      save.replica == 0 || (!may_die.empty() && may_die[static_cast<size_t>(endpoint_.rank)]);
  if (context_.keeps_saves && sends) {
    save.file = safetensorsBytes(save.name, tensors);
  }
  context_.batch.saves.push_back(std::move(save));
}

void FragmentHost::recordCrossing(const BoundaryInfo& boundary, const Box& value) {
  if (!context_.tracing) {
    return;
  }
  context_.batch.crossings.push_back({boundary.id, crossings_[boundary.id]++, currentIteration(),
                                      endpoint_.replicas.first, value.ops().hash(value.data())});
}

void FragmentHost::recordResult(const BoundaryInfo& boundary, const Box& value) {
  if (context_.tracing && crossings_[boundary.id] == 1) {
    value::Parts parts;
    value.ops().pack(value.data(), parts);
    context_.batch.results.push_back({boundary.id, numbersOf(parts, 1 << 20)});
  }
}

void FragmentHost::close() {
  for (auto& [boundary, port] : send_) {
    port->close();
  }
  for (auto& [boundary, port] : receive_) {
    port->close();
  }
}

void FragmentHost::addCounters(std::map<int, BoundaryRecord>& totals) const {
  for (const auto& [boundary, port] : send_) {
    BoundaryRecord& record = totals[boundary];
    record.boundary = boundary;
    record.executions += port->counters().executions;
    record.messages += port->counters().messages;
    record.bytes += port->counters().bytes;
  }
  for (const auto& [boundary, port] : receive_) {
    BoundaryRecord& record = totals[boundary];
    record.boundary = boundary;
    record.longest_queue = std::max(record.longest_queue, port->counters().longest_queue);
  }
  for (size_t i = 0; i < waited_.size(); ++i) {
    if (waited_[i].count() > 0) {
      BoundaryRecord& record = totals[static_cast<int>(i)];
      record.boundary = static_cast<int>(i);
      record.waited += std::chrono::duration<double>(waited_[i]).count();
    }
  }
}

bool FragmentHost::waitsForEquals() const {
  if (!exchanging_.contains(waiting_on_)) {
    return false;
  }
  const auto& topology = context_.topology.boundaries[static_cast<size_t>(waiting_on_)];
  return std::cmp_equal(topology.producers.size(), context_.transport.size());
}

std::string FragmentHost::waitingFor() const {
  std::string text = name() + " replica " + std::to_string(endpoint_.replicas.first) +
                     " (iteration " + std::to_string(std::max<int64_t>(0, iterations_ - 1)) + ") ";
  if (waiting_on_ < 0) {
    return text + "computes";
  }
  const auto receive = receive_.find(waiting_on_);
  if (receive != receive_.end()) {
    return text + "waits for " + receive->second->waitingFor(context_.manifest);
  }
  return text + "waits until " + info(waiting_on_).name + " (line " +
         std::to_string(info(waiting_on_).line) + ") has room at its consumers";
}

}  // namespace fdg::host
