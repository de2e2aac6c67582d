// Coordinator: on rank 0, turns what the ranks send into the report's ordered points, live line and
// table.
//
// Where all boundaries are ordered, a point is passed on once every fragment has gone past its
// place, so the log has the sequential order. Where fragments run at their own pace there is no
// common order: points are passed on as they come.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/host/CheckpointBook.h"
#include "runtime/host/Record.h"
#include "runtime/host/Topology.h"
#include "runtime/report/Report.h"

namespace fdg::host {

class Coordinator {
 public:
  /// `keeps_trace`: batches are kept for --verify. `report` may be nullptr. What run.save saves is
  /// written into `folder`.
  Coordinator(const Manifest& manifest, const place::Placement& placement, report::Report* report,
              bool keeps_trace, std::string folder);
  /// `post` sends what the book orders to all ranks.
  void keepCheckpoints(const CheckpointSetup& setup, const Topology& topology,
                       std::function<void(const CheckpointOrder&)> post);
  CheckpointBook* checkpoints() { return checkpoints_.get(); }

  void accept(Batch batch);
  /// A rank has died that the run goes on without: `sentence` is said, nobody waits for it any
  /// more.
  void lose(int rank, const std::string& sentence);
  /// Draws the live line if it is time.
  void tick();
  bool allDone() const;
  /// "rank 2, 3".
  std::string notDone() const;
  /// All points out, closing table.
  void finish(const std::string& outcome);
  void flush();
  /// Replicas that saved different weights; empty if none did.
  std::string disagreement() const { return disagreement_; }
  std::vector<Batch> takeTrace() { return std::move(trace_); }
  /// What fragments did in their last iterations, by fragment.
  const std::vector<ScriptRecord>& scripts() const { return scripts_; }

 private:
  double seconds() const;
  void endFragmentsOf(int rank);
  void emitPoints(bool all);
  void emitSpans(const Batch& batch);
  void takeSave(const SaveRecord& save);
  std::optional<Position> passed() const;
  std::optional<Written> logBefore(const std::vector<checkpoint::Point>& points);
  report::Status status() const;

  const Manifest& manifest_;
  const place::Placement& placement_;
  report::Report* report_;
  bool keeps_trace_;
  bool ordered_;
  std::vector<bool> done_;
  std::vector<bool> lost_;
  std::vector<std::string> losses_;
  std::vector<LogRecord> waiting_logs_;
  struct Logged {
    Position position;
    Written before;  // the log, when it was passed on
  };
  std::vector<Logged> recent_;  // since the last checkpoint
  std::unique_ptr<CheckpointBook> checkpoints_;
  std::map<std::pair<int, int64_t>, FragmentRecord> fragments_;  // by fragment and replica
  std::map<std::pair<int, int>, BoundaryRecord> boundaries_;     // by rank and boundary
  struct Saved {
    uint64_t hash = 0;
    int64_t replicas = 0;
  };
  std::string folder_;
  std::map<std::tuple<int, std::string, int64_t>, Saved> saves_;  // not yet made by all replicas
  std::map<std::string, Position> files_;                         // where the newest was saved
  std::string disagreement_;
  std::vector<Batch> trace_;
  std::vector<ScriptRecord> scripts_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_status_ = start_;
};

}  // namespace fdg::host
