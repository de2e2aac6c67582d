// Report: what a run tells while it runs and when it ends. Used on rank 0 only.
//
// point() takes the logged values in their final, merged order and writes them to FOLDER/log.jsonl
// and to a TensorBoard event file, span() what fragments did when. status() draws one live line on a terminal (or a plain line
// every 5 s elsewhere), finish() a closing table. Throws UserError if a file cannot be written
// (folder missing, disk full). Threads: one. Cost: point() about 1 µs, buffered; status() flushes
// the files, call it about 5 times a second.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/Written.h"
#include "runtime/report/TimelineFile.h"

namespace fdg::report {

/// One logged value; `position` is its place in the program's order (loop counters and statement).
struct Point {
  std::string key;
  double value = 0;
  int64_t iteration = 0;
  std::vector<int64_t> position;
};

/// Where a fragment's time went, added up over its replicas.
struct FragmentUse {
  std::string name;
  int replicas = 1;        ///< Instances.
  int lost = 0;            ///< Of them, whose rank died.
  int64_t iterations = 0;  ///< Of its outermost loop, the furthest replica.
  double computing = 0;    ///< Seconds.
  double waiting = 0;
  double sending = 0;
};

struct BoundaryUse {
  std::string name;
  int64_t executions = 0;
  int64_t messages = 0;
  int64_t bytes = 0;
  int64_t longest_queue = 0;
  double waited = 0;  ///< Seconds, both sides together.
};

struct Status {
  int64_t iterations = 0;  ///< Of the stop group's outermost loop.
  double seconds = 0;      ///< Since the start of the run.
  std::vector<FragmentUse> fragments = {};
};

struct Closing {
  Status status;
  std::vector<BoundaryUse> boundaries = {};
  std::vector<std::string> saved = {};  ///< Files that run.save wrote.
  std::string outcome = "finished";     ///< "finished", "stopped by the user", "failed: …".
  std::vector<std::string> losses = {};  ///< Lines below the first: as tellLoss gave them, or more.
};

struct ReportOptions {
  std::string folder;  ///< Must exist.
  std::string program;
  bool quiet = false;  ///< Files only.
  std::optional<Written> kept_log = {};  ///< The log there goes on behind this.
  std::optional<int64_t> resumed_iteration = {};
  std::string timeline = {};     ///< A file for spans; empty: none.
  std::string unit = "rank";     ///< What a rank is: that, or a thread.
  int columns = 0;  ///< Of the terminal that `lines` goes to: one line drawn over; 0: no terminal.
  std::FILE* lines = stderr;
  std::FILE* table = stdout;
};

class LogFile;
class EventFile;

class Report {
 public:
  explicit Report(ReportOptions options);
  ~Report();
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void point(const Point& point);
  /// For the timeline; nothing where none is wanted.
  void span(const Span& span);
  void status(const Status& status);
  /// Says at once, also when quiet, that a rank has died and the run goes on. The line for the
  /// closing table.
  std::string tellLoss(const std::string& sentence, double seconds);
  /// Flushes everything and prints the table. Nothing may be called afterwards.
  void finish(const Closing& closing);
  /// Flushes the files; for a run that is about to be ended from outside.
  void flush();
  /// What is in the log, or on its way there.
  const Written& logged() const;
  /// The same when all of it is on the disk.
  const Written& syncLog();

 private:
  ReportOptions options_;
  std::unique_ptr<LogFile> log_;
  std::unique_ptr<EventFile> events_;
  std::unique_ptr<TimelineFile> timeline_;
  double start_ = 0;                      // of steadySeconds
  std::map<std::string, double> newest_;  // last value of every key
  double last_plain_line_ = 0;            // seconds of the run
  int64_t last_iterations_ = 0;
  double last_seconds_ = 0;
  double rate_ = 0;  // iterations per second, smoothed
  bool line_is_drawn_ = false;
};

}  // namespace fdg::report
