// Spans: when one fragment computed, drained, waited for a value or waited for room.
//
// The scheduler gives a fragment its turns; within one it computes until it has to wait, and a wait
// may last over many turns in which only its drain blocks run. Costs two clock readings a span;
// notes nothing where no timeline is wanted. One thread.
#pragma once

#include <optional>
#include <vector>

#include "runtime/host/Record.h"
#include "runtime/host/Topology.h"

namespace fdg::host {

class Spans {
 public:
  /// `out` nullptr: none is wanted.
  Spans(const Endpoint& fragment, std::vector<SpanRecord>* out) : fragment_(fragment), out_(out) {}

  void beginTurn();
  void beginWait(int64_t iteration);
  void endWait(SpanRecord::Kind kind, int boundary, int64_t iteration);
  /// `moved`: it did anything in this turn.
  void endTurn(bool moved, int64_t iteration);

  /// Around the drain blocks of a boundary; nothing is noted where they found nothing.
  std::optional<int64_t> beginDrain() const;
  void endDrain(std::optional<int64_t> begun, int boundary, int64_t iteration);

 private:
  void note(SpanRecord::Kind kind, int boundary, int64_t begin, int64_t iteration);

  Endpoint fragment_;
  std::vector<SpanRecord>* out_;
  std::optional<int64_t> computing_since_;  // microseconds since 1970
  std::optional<int64_t> waiting_since_;
};

}  // namespace fdg::host
