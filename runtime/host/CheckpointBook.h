// CheckpointBook: on rank 0, decides when the next checkpoint is made and closes it when every
// fragment's state has been written.
//
// Where all fragments are in step they save every n-th iteration by themselves (the next when they
// are told that the one before is over) and the book only closes. Otherwise, and for checkpoints by
// time or on a signal: ask all to hold, wait for their answers, and order each rate class (and each
// instance that may die) to save at the first iteration that nobody of it has begun. A checkpoint
// is given up when a fragment ends before its turn. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/host/CheckpointSetup.h"
#include "runtime/host/Record.h"
#include "runtime/host/Topology.h"

namespace fdg::host {

using checkpoint::Point;

class CheckpointBook {
 public:
  /// `post` sends an order to all ranks. `log_before`: what of the log stands before those points
  /// and is on the disk, or nothing while fragments may still log something that belongs there.
  CheckpointBook(const CheckpointSetup& setup, const Manifest& manifest,
                 const place::Placement& placement, const Topology& topology,
                 std::function<void(const CheckpointOrder&)> post,
                 std::function<std::optional<Written>(const std::vector<Point>&)> log_before);
  ~CheckpointBook() { removeUnfinished(); }

  void accept(const Batch& batch);
  /// The rank has died: checkpoints are whole without its fragments, which begin anew on resuming.
  void lose(int rank);
  /// Asks for the next checkpoint if it is time; closes those that are whole.
  void tick(int64_t iterations);
  /// A checkpoint now, for a run that is about to end.
  void request() { requested_ = true; }
  /// Nothing was requested that is still to come.
  bool isIdle() const { return !requested_ && !asking_ && pending_.empty(); }
  /// The requested one was made.
  bool hasMadeRequested() const { return made_; }
  /// The folder of the one to go on from; empty: none yet.
  const std::string& last() const { return last_; }
  /// Whether this run has made one.
  bool hasMadeAny() const { return any_; }
  /// What is written of others than whole ones.
  void removeUnfinished() { checkpoint::removeUnfinished(setup_.folder); }

 private:
  struct Pending {
    std::vector<Point> points;  // by Topology::step_of; loop −1: nothing to save
    std::map<int, checkpoint::SavedFragment> saved;  // by endpoint
  };
  bool isDue(int64_t iterations) const;
  void ask();
  void order();
  Point namedPoint(const std::vector<Point>& points) const;
  void closeWhole();
  void close(const std::string& name, const Pending& pending, const Written& log);
  bool goesRound(const Endpoint& endpoint, int loop) const;
  bool isWhole(const Pending& pending) const;
  bool isLost(const Pending& pending) const;
  const Endpoint& endpointOf(int fragment, int64_t replica) const;
  size_t stepOf(const Endpoint& endpoint) const { return topology_.step_of.at(endpoint.id); }

  const CheckpointSetup& setup_;
  const Manifest& manifest_;
  const place::Placement& placement_;
  const Topology& topology_;
  bool in_step_;
  std::function<void(const CheckpointOrder&)> post_;
  std::function<std::optional<Written>(const std::vector<Point>&)> log_before_;
  bool requested_ = false;
  bool made_ = false;
  bool asking_ = false;
  int64_t asked_ = 0;
  std::map<int, HoldRecord> answers_;  // by endpoint
  std::set<int> ended_;                // endpoints
  std::set<int> lost_;                 // likewise
  std::map<std::string, Pending> pending_;
  uint64_t run_id_;
  int64_t number_ = 0;
  int64_t last_iterations_ = 0;
  std::chrono::steady_clock::time_point last_time_ = std::chrono::steady_clock::now();
  std::string last_;
  bool any_ = false;
};

}  // namespace fdg::host
