// The part of ReceivePort that joins the terms of replicas: those that came with their messages,
// and those that are folded where they lie.
#include <algorithm>

#include "core/UnequalTerms.h"
#include "runtime/host/OnDevice.h"
#include "runtime/host/ReceivePort.h"

namespace fdg::host {
namespace {

std::vector<std::string> shapesOfTensors(const value::Parts& term) {
  std::vector<std::string> shapes;
  for (const at::Tensor& tensor : term.tensors) {
    shapes.push_back(value::shapeText(tensor));
  }
  return shapes;
}

/// Of a term whose tensors may have stayed where they are.
std::vector<std::string> shapesOfMessage(const transport::Message& message) {
  value::Parts term = message.parts;
  if (message.header.kind == kLayout) {
    return shapesOf(takeLayout(term));
  }
  if (message.value.hasValue()) {
    message.value.ops().pack(message.value.data(), term);
  }
  return shapesOfTensors(term);
}

}  // namespace

/// Either all terms are folded where they lie or none, unless they are of other sizes.
bool ReceivePort::anyStays(bool stays) const {
  return std::ranges::any_of(sources_, [&](const Source& source) {
    return (source.message->header.kind == kLayout) == stays;
  });
}

void ReceivePort::refuseUnequal(const std::vector<std::string>& own) const {
  std::vector<std::vector<std::string>> shapes;
  size_t next = 0;
  for (const Endpoint& producer : topology_.producers) {
    shapes.push_back(producer.id == self_.id ? own : shapesOfMessage(*sources_[next++].message));
  }
  value::refuseUnequalTerms(shapes);
}

Box ReceivePort::assembleTerms(const ValueOps& type, const Box* own, int64_t own_rows) {
  if (anyStays(true)) {
    value::Parts term;
    if (own != nullptr) {
      own->ops().pack(own->data(), term);
    }
    refuseUnequal(shapesOfTensors(term));
  }
  Terms terms;
  size_t next = 0;
  for (const Endpoint& producer : topology_.producers) {
    if (producer.id == self_.id) {
      terms.boxes.push_back(device_ ? onDevice(*own, *device_) : *own);
      terms.rows.push_back(own_rows);
      continue;
    }
    transport::Message& message = *sources_[next++].message;
    terms.rows.push_back(message.header.rows);
    terms.boxes.push_back(unpack(message, type));
  }
  return info_.operation == OperationKind::all_gather ? concatBoxes(terms.boxes)
                                                      : reduceTerms(info_, terms);
}

/// Before the others' messages are here: they may already read what it writes.
void ReceivePort::beginFold(const Box* own) {
  if (own == nullptr || !folding_->works() || looked_at_ == counters_.executions) {
    return;
  }
  looked_at_ = counters_.executions;
  value::Parts term;
  own->ops().pack(own->data(), term);
  if (isFoldable(term)) {
    const auto self = std::ranges::find(topology_.producers, self_.id, &Endpoint::id);
    reduction_.emplace(folding_, static_cast<size_t>(self - topology_.producers.begin()),
                       std::move(term));
  }
}

void ReceivePort::joinFold(const ValueOps& type, int64_t own_rows) {
  if (anyStays(false)) {
    value::Parts term = reduction_->layout();
    refuseUnequal(shapesOf(takeLayout(term)));
  }
  Terms terms;
  std::vector<Layout> layouts;
  size_t next = 0;
  for (const Endpoint& producer : topology_.producers) {
    value::Parts parts = reduction_->layout();
    terms.rows.push_back(own_rows);
    if (producer.id != self_.id) {
      transport::Message& message = *sources_[next++].message;
      parts = std::move(message.parts);
      terms.rows.back() = message.header.rows;
    }
    layouts.push_back(takeLayout(parts));
    Box& box = terms.boxes.emplace_back(type, type.make());
    type.unpack(const_cast<void*>(box.data()), parts);
  }
  reduction_->join(info_, terms, layouts);
}

bool ReceivePort::tryFold(Box& out, int64_t own_rows) {
  if (!reduction_->isJoined()) {
    joinFold(out.ops(), own_rows);
  }
  if (!reduction_->tryFinish(out)) {
    return false;
  }
  reduction_.reset();
  return true;
}

}  // namespace fdg::host
