#include "runtime/host/ReceivePort.h"

#include <algorithm>
#include <limits>

#include "runtime/host/AtBoundary.h"
#include "runtime/host/OnDevice.h"
#include "runtime/host/Repeats.h"

namespace fdg::host {

ReceivePort::ReceivePort(const BoundaryInfo& info, const place::BoundaryRule& rule,
                         const BoundaryTopology& topology, const Endpoint& self,
                         transport::Transport& transport)
    : info_(info),
      rule_(rule),
      topology_(topology),
      self_(self),
      folding_(openFolding(info, topology, self, transport)) {
  if (crossesDevices(topology, self)) {
    device_ = at::Device(self.device);
  }
  for (const Route& route : topology.routes) {
    if (route.to != self.id) {
      continue;
    }
    const auto producer = std::ranges::find_if(
        topology.producers, [&](const Endpoint& e) { return e.id == route.from; });
    sources_.push_back({route, producer->replicas, transport.openReceiver(route.channel), {}, -1, -1});
  }
}

void ReceivePort::checkHeader(const Source& source) const {
  const transport::Header& header = source.message->header;
  FDG_CHECK(header.boundary == info_.id && header.execution == counters_.executions,
            "boundary " + info_.name + " expected message " + std::to_string(counters_.executions) +
                " and got message " + std::to_string(header.execution) + " of boundary " +
                std::to_string(header.boundary));
}

bool ReceivePort::take(Source& source) const {
  return atBoundary(info_, [&] { return source.message.take(*source.receiver); });
}

bool ReceivePort::collect() {
  bool all = true;
  for (Source& source : sources_) {
    if (!source.message) {
      if (take(source)) {
        counters_.longest_queue = std::max(counters_.longest_queue, source.receiver->waiting() + 1);
        checkHeader(source);
        ++counters_.messages;
        continue;
      }
      if (source.receiver->ended()) {
        throw Closed{};
      }
      all = false;
    }
  }
  return all;
}

Box ReceivePort::unpack(transport::Message& message, const ValueOps& type) const {
  if (rule_.pack > 0 && !message.value.hasValue()) {
    restoreRepeats(message.parts);
  }
  Box box = unpackAsSent(message, type);
  if (device_) {
    return onDevice(std::move(box), *device_);
  }
  return box;
}

Box ReceivePort::unpackAsSent(transport::Message& message, const ValueOps& type) {
  if (message.value.hasValue() && &message.value.ops() == &type) {
    return std::move(message.value);
  }
  Box box(type, type.make());
  if (message.value.hasValue()) {
    // A type that is local to the training function is another type in every fragment.
    message.value.ops().pack(message.value.data(), message.parts);
  }
  type.unpack(const_cast<void*>(box.data()), message.parts);
  return box;
}

Box ReceivePort::assembleRows(const ValueOps& type) {
  if (sources_.size() == 1) {  // all that there is
    FDG_CHECK(sources_.front().message->header.kind == kValue, "rows that were thought elsewhere");
    return unpack(*sources_.front().message, type);
  }
  std::vector<Box> parts;
  int64_t total = 0;
  int64_t block = 1;
  for (const Source& source : sources_) {
    total += source.message->header.rows;
    block = std::max(block, source.message->header.block);
  }
  block = total % block == 0 ? block : 1;
  const bool is_cut = sources_.front().route.share == Share::rows && sources_.size() > 1;
  const Rows wanted = is_cut ? cutRows(total, self_.replicas, block) : Rows{0, total, total};
  int64_t first = 0;
  for (Source& source : sources_) {
    const int64_t rows = source.message->header.rows;
    const Rows fair = cutRows(total, source.producer, block);
    if (info_.operation != OperationKind::append && info_.operation != OperationKind::all_gather &&
        sources_.size() > 1 && fair.size() != rows) {
      throw UserError(placeOf(info_) + " crosses with " +
                      operationName(info_.operation) + ", but replica " +
                      std::to_string(source.producer.first) + " gave " + std::to_string(rows) +
                      " rows where its share of " + std::to_string(total) + " is " +
                      std::to_string(fair.size()) + "; use append for a varying number of rows");
    }
    const int64_t begin = std::max(wanted.begin, first) - first;
    const int64_t end = std::min(wanted.end, first + rows) - first;
    first += rows;
    if (is_cut && begin >= end) {
      continue;
    }
    FDG_CHECK(source.message->header.kind == kValue, "rows that were thought to be elsewhere");
    Box box = unpack(*source.message, type);
    if (is_cut && (begin > 0 || end < rows)) {
      box.set(type.slice(box.data(), begin, end));
    }
    parts.push_back(box);
  }
  if (parts.empty()) {  // no rows for this replica: the value's form comes from anyone who sent one
    const auto any = std::ranges::find_if(
        sources_, [](const Source& source) { return source.message->header.kind == kValue; });
    Box box = unpack(*any->message, type);
    return {type, type.slice(box.data(), 0, 0)};
  }
  return concatBoxes(parts);
}

Box ReceivePort::assembleWhole(const ValueOps& type) {
  const auto chosen = std::ranges::find_if(
      sources_, [](const Source& source) { return source.message->header.kind == kValue; });
  const uint64_t check = chosen->message->header.check;
  for (const Source& source : sources_) {
    if (source.message->header.check != check) {
      throw UserError(
          placeOf(info_) + " is broadcast, so it must be the same on all replicas, but replicas " +
          std::to_string(chosen->producer.first) + " and " + std::to_string(source.producer.first) +
          " hold different values; a reduction is missing before it (reduce_mean for gradients)");
    }
  }
  return unpack(*chosen->message, type);
}

Box ReceivePort::assemble(const ValueOps& type, const Box* own, int64_t own_rows) {
  switch (info_.operation) {
    case OperationKind::gather:
    case OperationKind::scatter:
    case OperationKind::append:
      return assembleRows(type);
    case OperationKind::broadcast:
      return assembleWhole(type);
    default:
      return assembleTerms(type, own, own_rows);
  }
}

void ReceivePort::archive(Archive& a) {
  std::vector<int64_t> reached;
  int64_t furthest = -1;
  for (const Source& source : sources_) {
    furthest = std::max(furthest, source.reached);
  }
  for (const Source& source : sources_) {
    // One that is gone holds nobody back, nor when it begins anew in a run that goes on from here.
    const bool is_gone = a.saving() && !source.message && source.receiver->ended();
    reached.push_back(is_gone ? furthest : source.reached);
  }
  is_restored_ = newest_.hasValue();
  restored_ = value::Parts();
  if (a.saving() && newest_.hasValue()) {
    newest_.ops().pack(newest_.data(), restored_);
  }
  a(is_restored_, restored_, reached, producer_iteration_, version_, reads_);
  if (a.saving()) {
    is_restored_ = false;
    restored_ = value::Parts();
    return;
  }
  for (size_t i = 0; i < sources_.size() && i < reached.size(); ++i) {
    sources_[i].reached = reached[i];
  }
}

bool ReceivePort::takeNewest(Box& out, bool wants_unseen) {
  if (is_restored_) {
    newest_ = Box(out.ops(), out.ops().make());
    out.ops().unpack(const_cast<void*>(newest_.data()), restored_);
    is_restored_ = false;
  }
  bool fresh = false;
  for (Source& source : sources_) {
    while (take(source)) {
      newest_ = unpack(*source.message, out.ops());
      producer_iteration_ = source.message->header.iteration;
      version_ = source.message->header.execution;
      source.message.reset();
      ++counters_.messages;
      fresh = true;
    }
  }
  const bool has_ended =
      std::ranges::all_of(sources_, [](const Source& s) { return s.receiver->ended(); });
  if (!fresh && (wants_unseen || !newest_.hasValue())) {
    if (has_ended) {
      throw Closed{};
    }
    return false;
  }
  if (isTooOld() && !has_ended) {
    return false;
  }
  out.set(newest_.ops().copy(newest_.data()));
  ++reads_;
  ++counters_.executions;
  return true;
}

bool ReceivePort::tryReceive(Box& out, const Box* own, int64_t own_rows, bool wants_unseen) {
  if (rule_.mode == place::Mode::newest) {
    return takeNewest(out, wants_unseen);
  }
  if (folding_) {
    beginFold(own);
  }
  if (!collect()) {
    return false;
  }
  const bool is_whole = atBoundary(info_, [&] {
    if (reduction_) {
      return tryFold(out, own_rows);
    }
    out = assemble(out.ops(), own, own_rows);
    return true;
  });
  if (!is_whole) {
    return false;
  }
  for (Source& source : sources_) {
    producer_iteration_ = source.message->header.iteration;
    source.message.reset();
  }
  ++counters_.executions;
  return true;
}

int64_t ReceivePort::drain(const ValueOps& type, int64_t iteration,
                           const std::function<void(Box&)>& block) {
  if (rule_.mode == place::Mode::inline_call) {
    return attend(type, iteration, block);
  }
  int64_t taken = 0;
  for (Source& source : sources_) {
    counters_.longest_queue = std::max(counters_.longest_queue, source.receiver->waiting());
    // A producer as fast as the block must not keep its consumer here for good.
    for (int64_t i = 0; i < rule_.window; ++i) {
      if (!source.message && !take(source)) {
        break;
      }
      const int64_t made = source.message->header.iteration;
      if (source.message->header.kind == kWord) {
        source.told = made;
        source.reached = std::max(source.reached, made);
        source.message.reset();
        heard_ = true;
        continue;
      }
      // Of what `pack` gathered the oldest row counts: else a large pack could never be taken.
      const int64_t oldest = rule_.pack > 0 ? std::min(source.reached + 1, made) : made;
      if (rule_.behind >= 0 && oldest > iteration + rule_.behind) {
        break;  // the channel fills up, and the producer waits
      }
      Box box = unpack(*source.message, type);
      source.message.reset();
      source.reached = std::max(source.reached, made);
      if (rule_.take > 0) {
        takeRows(box, block);
      } else {
        block(box);
      }
      ++taken;
      ++counters_.messages;
      ++counters_.executions;
    }
  }
  return taken;
}

/// With `take` the block runs on exactly that many rows; what is left waits for the next message.
void ReceivePort::takeRows(const Box& box, const std::function<void(Box&)>& block) {
  const ValueOps& type = box.ops();
  rest_.push_back(box);
  rest_rows_ += type.rows(box.data()).value_or(1);
  while (rest_rows_ >= rule_.take) {
    const Box all = concatBoxes(rest_);
    Box part(type, type.slice(all.data(), 0, rule_.take));
    rest_ = {Box(type, type.slice(all.data(), rule_.take, rest_rows_))};
    rest_rows_ -= rule_.take;
    block(part);
  }
}

int64_t ReceivePort::drainRest(const ValueOps& type, const std::function<void(Box&)>& block) {
  const int64_t taken = drain(type, std::numeric_limits<int64_t>::max() / 2, block);
  if (dry() && rest_rows_ > 0) {
    Box rest = concatBoxes(rest_);
    rest_.clear();
    rest_rows_ = 0;
    block(rest);
  }
  return taken;
}

bool ReceivePort::mayStart(int64_t iteration,
                           const std::function<int64_t(int)>& known) const {
  if (rule_.ahead < 0) {
    return true;
  }
  const auto isNear = [&](int64_t reached) { return iteration <= reached + 1 + rule_.ahead; };
  return std::ranges::all_of(sources_, [&](const Source& source) {
    // A message that is here was not taken because it is of a later iteration.
    return isNear(source.reached) || source.message || source.receiver->ended() ||
           (known && isNear(known(source.route.from)));
  });
}

bool ReceivePort::mayStartEmpty(int64_t iteration) const {
  return std::ranges::all_of(sources_, [&](const Source& source) {
    return source.message || source.receiver->ended() || iteration <= source.told + 1;
  });
}

int64_t ReceivePort::knownOver(int producer) const {
  int64_t over = -1;
  for (const Source& source : sources_) {
    if (source.route.from == producer) {  // in the iteration of a message more may come elsewhere
      over = std::max({over, source.told, source.reached - 1,
                       source.message ? source.message->header.iteration - 1 : -1});
    }
  }
  return over;
}

bool ReceivePort::dry() const {
  return std::ranges::all_of(
      sources_, [](const Source& source) { return !source.message && source.receiver->ended(); });
}

void ReceivePort::close() {
  for (Source& source : sources_) {
    source.receiver->close();
  }
}

std::string ReceivePort::waitingFor(const Manifest& manifest) const {
  std::string who;
  const auto add = [&](const ReplicaRange& producer) {
    who += (who.empty() ? "" : ", ") +
           manifest.fragments[static_cast<size_t>(info_.producer)].name + " replica " +
           std::to_string(producer.first);
  };
  for (const Source& source : sources_) {
    if (!source.message && !source.receiver->ended()) {
      add(source.producer);
    }
  }
  for (const size_t member : reduction_ ? folding_->waitsFor() : std::vector<size_t>()) {
    add(topology_.producers[member].replicas);
  }
  return info_.name + " (line " + std::to_string(info_.line) + ") from " +
         (who.empty() ? "producers that have all sent or ended" : who);
}

}  // namespace fdg::host
