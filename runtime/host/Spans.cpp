#include "runtime/host/Spans.h"

#include <chrono>

namespace fdg::host {
namespace {

int64_t now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void Spans::note(SpanRecord::Kind kind, int boundary, int64_t begin, int64_t iteration) {
  out_->push_back({fragment_.fragment, fragment_.replicas.first, kind, boundary, begin, now(),
                   iteration});
}

void Spans::beginTurn() {
  if (out_ != nullptr && !waiting_since_) {
    computing_since_ = now();
  }
}

void Spans::beginWait(int64_t iteration) {
  if (out_ == nullptr || waiting_since_) {
    return;
  }
  if (computing_since_) {
    note(SpanRecord::Kind::compute, -1, *computing_since_, iteration);
    computing_since_.reset();
  }
  waiting_since_ = now();
}

void Spans::endWait(SpanRecord::Kind kind, int boundary, int64_t iteration) {
  if (out_ != nullptr && waiting_since_) {
    note(kind, boundary, *waiting_since_, iteration);
    waiting_since_.reset();
    computing_since_ = now();
  }
}

void Spans::endTurn(bool moved, int64_t iteration) {
  if (computing_since_ && moved && !waiting_since_) {
    note(SpanRecord::Kind::compute, -1, *computing_since_, iteration);
  }
  computing_since_.reset();
}

std::optional<int64_t> Spans::beginDrain() const {
  return out_ == nullptr ? std::nullopt : std::optional(now());
}

void Spans::endDrain(std::optional<int64_t> begun, int boundary, int64_t iteration) {
  if (begun) {
    note(SpanRecord::Kind::drain, boundary, *begun, iteration);
  }
}

}  // namespace fdg::host
