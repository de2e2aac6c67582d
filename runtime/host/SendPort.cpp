#include "runtime/host/SendPort.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "runtime/host/AtBoundary.h"
#include "runtime/host/Repeats.h"

namespace fdg::host {
namespace {

/// So long `pack` holds rows back at a producer that sends no more of them and does not wait either.
constexpr int64_t kHeldBackFor = 16;

/// Whether rows of this producer can be among those of the consumer, whatever the other producers
/// have: the total is known only up to the remainders of the cut.
bool mayOverlap(const ReplicaRange& producer, const ReplicaRange& consumer) {
  const double slack = 1.0 / static_cast<double>(std::min(producer.count, consumer.count));
  const auto place = [](int64_t replica, int64_t count) {
    return static_cast<double>(replica) / static_cast<double>(count);
  };
  return place(producer.first, producer.count) < place(consumer.last, consumer.count) + slack &&
         place(consumer.first, consumer.count) < place(producer.last, producer.count) + slack;
}

}  // namespace

Box concatBoxes(const std::vector<Box>& boxes) {
  if (boxes.size() == 1) {
    return boxes.front();
  }
  std::vector<const void*> parts;
  for (const Box& box : boxes) {
    parts.push_back(box.data());
  }
  return {boxes.front().ops(), boxes.front().ops().concat(parts)};
}

SendPort::SendPort(const BoundaryInfo& info, const place::BoundaryRule& rule,
                   const BoundaryTopology& topology, const Endpoint& self,
                   transport::Transport& transport)
    : info_(info),
      rule_(rule),
      self_(self),
      producers_(topology.producers.size()),
      folding_(openFolding(info, topology, self, transport)) {
  for (const Route& route : topology.routes) {
    if (route.from != self.id) {
      continue;
    }
    const auto member =
        std::ranges::find_if(topology.members, [&](const Endpoint& e) { return e.id == route.to; });
    const bool folds = folding_ && std::ranges::find(topology.producers, route.to, &Endpoint::id) !=
                                       topology.producers.end();
    targets_.push_back(
        {route, member->replicas, transport.openSender(route.channel), std::nullopt, folds, -1});
  }
}

std::optional<Box> SendPort::collect(const Box& value) {
  collected_.push_back(value);
  // One without rows counts as one: else a pack of many such would never be full.
  collected_rows_ += std::max<int64_t>(1, value.ops().rows(value.data()).value_or(1));
  return collected_rows_ < rule_.pack ? std::nullopt : std::optional(takeCollected());
}

Box SendPort::takeCollected() {
  Box joined = concatBoxes(collected_);
  collected_.clear();
  collected_rows_ = 0;
  return joined;
}

/// `may_take`: the value is not needed any more.
void SendPort::fill(transport::Message& message, const Target& target, Box& value, bool may_take) {
  message.header = header_;
  if (fillLayout(message, target, value)) {
    return;
  }
  if (target.route.share == Share::check) {
    message.header.kind = kCheckOnly;
    return;
  }
  std::optional<Box> slice;
  if (target.route.share == Share::rows) {
    if (producers_ == 1) {
      const Rows rows = cutRows(header_.rows, target.consumer, header_.block);
      slice.emplace(value.ops(), value.ops().slice(value.data(), rows.begin, rows.end));
      may_take = true;
    } else if (!mayOverlap(self_.replicas, target.consumer)) {
      message.header.kind = kSizeOnly;
      return;
    }
  }
  Box& part = slice ? *slice : value;
  if (target.sender->passesValues()) {
    if (may_take) {  // copying a box costs two locked additions
      message.value = std::move(part);
    } else {
      message.value = Box(part.ops(), part.ops().copy(part.data()));
    }
  } else {
    part.ops().pack(part.data(), message.parts);
    if (rule_.pack > 0) {
      shareRepeats(message.parts);
    }
    countBytes(message.parts);
  }
}

void SendPort::countBytes(const value::Parts& parts) {
  counters_.bytes += static_cast<int64_t>(parts.bytes.size());
  for (const at::Tensor& tensor : parts.tensors) {
    counters_.bytes += tensor.defined() ? static_cast<int64_t>(tensor.nbytes()) : 0;
  }
}

/// In place of a term that will be folded.
bool SendPort::fillLayout(transport::Message& message, const Target& target, const Box& value) {
  if (!target.folds || !folding_->works()) {
    return false;
  }
  value.ops().pack(value.data(), message.parts);
  if (!isFoldable(message.parts)) {
    message.parts = {};
    return false;
  }
  message.header.kind = kLayout;
  countBytes(message.parts);
  leaveLayout(message.parts);
  return true;
}

void SendPort::prepare(Box& value, int64_t iteration, int64_t rows, bool keeps) {
  const bool has_checks =
      std::ranges::any_of(targets_,
                          [](const Target& t) { return t.route.share == Share::check; }) ||
      (producers_ > 1 && info_.operation == OperationKind::broadcast);
  header_ = {};
  header_.boundary = info_.id;
  header_.execution = earlier_ + counters_.executions;
  header_.iteration = iteration;
  if (isReduction(info_.operation)) {
    header_.rows = rows;
  } else if (info_.operation != OperationKind::broadcast) {  // whose parts may have any lengths
    header_.rows = value.ops().rows(value.data()).value_or(0);
    header_.block = header_.rows % block_ == 0 ? block_ : 1;
  }
  header_.check = has_checks ? value.ops().hash(value.data()).whole : 0;
  if ((info_.operation == OperationKind::gather || info_.operation == OperationKind::scatter) &&
      !value.ops().rows(value.data())) {
    const bool cuts = producers_ > 1 || std::ranges::any_of(targets_, [](const Target& t) {
                        return t.route.share == Share::rows;
                      });
    if (cuts) {
      throw UserError(
          placeOf(info_) + " crosses with " +
          operationName(info_.operation) +
          " but has no rows here: all in it that could have some is an empty optional, an undefined "
          "tensor or one without dimensions (a single number); where there is nothing, give a tensor "
          "or vector of 0 rows, and for a value that is the same everywhere use broadcast");
    }
  }
  for (size_t i = 0; i < targets_.size(); ++i) {
    fill(targets_[i].pending.emplace(), targets_[i], value, !keeps && i + 1 == targets_.size());
  }
}

bool SendPort::flush() {
  bool all = true;
  bool any_open = targets_.empty();
  bool any_closed = false;
  for (Target& target : targets_) {
    const bool closed = target.sender->consumerClosed();
    any_open = any_open || !closed;
    any_closed = any_closed || closed;
    if (target.pending &&
        atBoundary(info_, [&] { return target.sender->trySend(*target.pending); })) {
      target.pending.reset();
      ++counters_.messages;
    }
    all = all && !target.pending;
  }
  if ((!any_open && !goes_on_alone_) || (any_closed && ends_with_any_)) {
    throw Closed{};
  }
  return all;
}

bool SendPort::trySend(Box& value, int64_t iteration, int64_t rows, bool keeps) {
  used_ = iteration;
  if (is_extra_) {
    sendHeld(iteration);
    if (is_extra_) {
      return false;
    }
  }
  if (!prepared_) {
    if (rule_.mode == place::Mode::drain && rule_.pack > 0) {
      std::optional<Box> joined = collect(value);
      if (!joined) {
        if (!goes_on_alone_ && std::ranges::all_of(targets_, [](const Target& t) {
              return t.sender->consumerClosed();
            })) {
          throw Closed{};
        }
        return true;
      }
      prepare(*joined, iteration, rows, keeps);
    } else {
      prepare(value, iteration, rows, keeps);
    }
    prepared_ = true;
  }
  if (!flush()) {
    return false;
  }
  prepared_ = false;
  ++counters_.executions;
  return true;
}

void SendPort::sendHeld(int64_t iteration) {
  if (!prepared_ && !collected_.empty()) {
    Box held = takeCollected();
    prepare(held, iteration, 0, /*keeps=*/false);
    prepared_ = is_extra_ = true;
  }
  if (is_extra_ && flush()) {
    prepared_ = is_extra_ = false;
    ++counters_.executions;
  }
}

bool SendPort::speak(int64_t iteration, int64_t over) {
  if (closed_) {
    return false;
  }
  const int64_t before = counters_.messages;
  sendHeld(iteration);
  bool said = counters_.messages != before;
  for (Target& target : targets_) {
    if (over <= target.told || target.pending) {
      continue;
    }
    transport::Message word;
    word.header.boundary = info_.id;
    word.header.kind = kWord;
    word.header.iteration = over;
    if (atBoundary(info_, [&] { return target.sender->trySend(word); })) {
      target.told = over;
      said = true;
    }
  }
  return said;
}

void SendPort::speakIfUnused(int64_t over) {
  if (over - used_ > (collected_.empty() ? 0 : kHeldBackFor)) {
    speak(over, over);
  }
}

void SendPort::archive(Archive& a) {
  if (rule_.mode == place::Mode::newest) {
    int64_t versions = earlier_ + counters_.executions;
    a(versions);
    earlier_ = a.saving() ? earlier_ : versions;
  }
}

bool SendPort::tryFinish(int64_t iteration) {
  if (closed_) {
    return true;
  }
  const bool nobody_listens = std::ranges::all_of(
      targets_, [](const Target& target) { return target.sender->consumerClosed(); });
  if (!nobody_listens) {
    if (!prepared_ && !collected_.empty()) {
      Box held = takeCollected();
      prepare(held, iteration, 0, /*keeps=*/false);
      prepared_ = true;
    }
    if (prepared_ && !flush()) {
      return false;
    }
  }
  counters_.executions += prepared_ ? 1 : 0;
  prepared_ = is_extra_ = false;
  close();
  return true;
}

void SendPort::close() {
  if (std::exchange(closed_, true)) {
    return;
  }
  for (Target& target : targets_) {
    target.sender->close();
  }
}

}  // namespace fdg::host
