// Profile: what one fragment did in its last iterations: how long it computed before each boundary
// it came to, and how large what it sent was. For --timings.
//
// In processor time of the rank's thread: what else runs on the machine does not count, and neither
// does sleeping.
//
// A fragment comes to a boundary (`reach`), tries until it can go on (`pass`); what lies between
// the begin of the try that succeeded, which packs or joins values, and the next reach is
// computing. Keeps eight iterations of the newest loop that boundaries cross. Costs a microsecond
// or two a boundary; nothing where none is wanted. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "fdg/fragment.h"
#include "runtime/host/Record.h"
#include "runtime/host/Topology.h"

namespace fdg::host {

class Profile {
 public:
  using Kind = StepRecord::Kind;

  Profile(const Endpoint& fragment, bool is_wanted)
      : fragment_(fragment), is_on_(is_wanted && fragment.replicas.first == 0) {}

  /// Processor seconds of this thread, for `drained`; 0 where no profile is wanted.
  double now() const;
  /// At every try. `value` is what it sends, or nullptr.
  void reach(Kind kind, int boundary, const Box* value) {
    if (is_on_) {
      noteReached(kind, boundary, value);
    }
  }
  void pass() {
    if (is_waiting_) {
      is_waiting_ = false;
      since_ = attempt_;
    }
  }
  /// A drain block ran: while the fragment waited, or in the midst of its computing.
  void drained(int boundary, double seconds);
  /// A loop that boundaries cross begins; what was before is forgotten.
  void beginLoop();
  void beginIteration(int64_t iteration);
  void endIteration();
  /// Nothing if there was no whole iteration.
  std::optional<ScriptRecord> script() const;

 private:
  struct Iteration {
    int64_t number = 0;
    std::vector<StepRecord> steps;
  };

  void noteReached(Kind kind, int boundary, const Box* value);

  Endpoint fragment_;
  bool is_on_ = false;
  bool is_waiting_ = false;
  double since_ = 0;    // it computes
  double attempt_ = 0;  // of what it waits for
  std::optional<Iteration> current_;
  std::deque<Iteration> whole_;
  size_t kept_ = 0;  // steps of `whole_`
  bool is_other_loop_ = false;  // than that of `whole_`
};

}  // namespace fdg::host
