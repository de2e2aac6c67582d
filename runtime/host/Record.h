// Records: what fragments note down while they run, and the batches in which ranks send it to rank
// 0.
//
// Plain aggregates, packed like any value. A position is the place of a statement in the program's
// order: loop number, iteration, … , statement number; comparing positions compares program order.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "fdg/trace_hash.h"
#include "runtime/checkpoint/Record.h"

namespace fdg::host {

using Position = std::vector<int64_t>;

/// The position behind every other: of a fragment that has ended.
inline Position endPosition() { return {std::numeric_limits<int64_t>::max()}; }

struct LogRecord {
  Position position;
  std::string key;
  double value = 0;
  double weight = 1;
  int64_t iteration = 0;
  int64_t replica = 0;  ///< First replica of the instance that logged it.
};

/// One value at a boundary, as its producer (or, for a reduction, a member) saw it.
struct CrossRecord {
  int boundary = 0;
  int64_t execution = 0;
  int64_t iteration = 0;
  int64_t replica = 0;
  value::TraceHash hash;
};

struct SaveRecord {
  Position position;
  std::string name;
  int fragment = -1;
  int64_t execution = 0;  ///< How often the fragment has saved that name before.
  int64_t replica = 0;
  uint64_t hash = 0;
  std::string file;  ///< The bytes of the file, from one replica; empty: nothing to write.
};

/// The numbers of the first result of a reduction, for comparison within rounding.
struct ResultRecord {
  int boundary = 0;
  std::vector<double> numbers;
};

struct FragmentRecord {
  int fragment = 0;
  int64_t replica = 0;
  int64_t iterations = 0;
  double computing = 0;
  double waiting = 0;
  double sending = 0;
  Position reached;
  bool lost = false;  ///< Its rank has died; set by rank 0.
};

struct BoundaryRecord {
  int boundary = 0;
  int64_t executions = 0;
  int64_t messages = 0;
  int64_t bytes = 0;
  int64_t longest_queue = 0;
  double waited = 0;
};

/// For --timeline: what a fragment did from `begin` to `end`, in microseconds since 1970.
struct SpanRecord {
  enum class Kind { compute, drain, wait, send };
  int fragment = 0;
  int64_t replica = 0;
  Kind kind = Kind::compute;
  int boundary = -1;  ///< −1: none.
  int64_t begin = 0;
  int64_t end = 0;
  int64_t iteration = 0;
};

/// For --timings: a fragment computed, then came to a boundary or (`end`) to the end of an
/// iteration. Drained: its block ran for that long.
struct StepRecord {
  enum class Kind { send, receive, exchange, drain, end };
  Kind kind = Kind::end;
  int boundary = -1;     ///< −1: none.
  double computing = 0;  ///< Seconds.
  int64_t bytes = 0;     ///< Of its own share of a value that it sent.

  bool operator==(const StepRecord&) const = default;
};

/// The last iterations of a fragment; those of replica 0 stand for all.
struct ScriptRecord {
  int fragment = 0;
  int64_t replicas = 1;  ///< Fused ones that did it,
  int64_t of = 1;        ///< of so many.
  std::vector<int64_t> iterations;
  std::vector<StepRecord> steps;  ///< Of all of them; each ends with `end`.
};

/// A fragment's state was written into the checkpoint of that name.
struct StateRecord {
  std::string checkpoint;
  checkpoint::SavedFragment saved;
};

/// The answer to a hold: the first head that the fragment will not have begun.
struct HoldRecord {
  int64_t asked = 0;  ///< The number of the question.
  int fragment = 0;
  int64_t replica = 0;
  checkpoint::Point first;
  bool ended = false;
};

/// What rank 0 tells all ranks about the next checkpoint.
struct CheckpointOrder {
  /// over: the checkpoint `name` is whole, or given up.
  enum class Kind { hold, save, release, over };
  Kind kind = Kind::hold;
  int64_t number = 0;
  std::string name;
  std::vector<checkpoint::Point> points;  ///< By Topology::step_of; loop −1: it saves nothing.
};

/// What one rank tells rank 0 at a time. Fragment and boundary records are totals so far.
struct Batch {
  int rank = 0;
  bool last = false;
  std::vector<LogRecord> logs;
  std::vector<CrossRecord> crossings;
  std::vector<SaveRecord> saves;
  std::vector<ResultRecord> results;
  std::vector<StateRecord> states;
  std::vector<HoldRecord> holds;
  std::vector<SpanRecord> spans;
  std::vector<ScriptRecord> scripts;
  std::vector<FragmentRecord> fragments;
  std::vector<BoundaryRecord> boundaries;
};

/// The fingerprint of what run.save saves: names and tensors, in order.
uint64_t hashOf(const NamedTensors& tensors);

/// The numbers of all floating-point tensors and doubles of a packed value, at most `most` of them.
std::vector<double> numbersOf(const value::Parts& parts, size_t most);

}  // namespace fdg::host
