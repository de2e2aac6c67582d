// One rank's run: it opens its channels, runs its fragments, and exchanges with rank 0 what was
// logged and saved, what is to be kept, and its last word.
//
// What ends a run is thrown: RunLost, Interrupted (Ending.h), FragmentError. One thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "runtime/host/Coordinator.h"
#include "runtime/host/Ending.h"
#include "runtime/host/Scheduler.h"
#include "runtime/host/Survivors.h"
#include "runtime/host/Worker.h"

namespace fdg::host {

/// From a signal or a failure to the end.
constexpr auto kTimeForLastCheckpoint = std::chrono::seconds(8);
constexpr auto kTimeForLastWords = std::chrono::milliseconds(200);

/// The signal that this rank has to answer; 0: none. Where ranks are threads of one process, rank 0
/// does, and ends the others with it.
int signalFor(const place::Placement& placement, const transport::Transport& transport);

class RankRun {
 public:
  RankRun(const WorkerSetup& setup, const place::Placement& placement,
          transport::Transport& transport, report::Report* report);
  ~RankRun() { transport_.onDeath({}); }
  RankRun(const RankRun&) = delete;
  RankRun& operator=(const RankRun&) = delete;

  void run();

  Coordinator* coordinator() { return coordinator_.get(); }

  /// After a failure here: what was logged and saved until then is not lost.
  void giveUp();
  /// After a signal: rank 0 asks all for what they still have to say, and waits a moment for it.
  void collectLast(int code);
  /// The others say it, and stay until rank 0 has ended (which ends them) or a second signal or
  /// word comes: mpirun ends rank 0 with the first that goes.
  void sayLast(bool is_told);

 private:
  void tick(std::chrono::steady_clock::time_point now);
  void exchange(std::chrono::steady_clock::time_point now);
  void takeDeath(int rank);
  void waitForOthers();
  /// A run that keeps checkpoints makes one more before it ends.
  void checkSignals();
  void post(const CheckpointOrder& order);
  bool takeLetters();
  void sendBatch(bool last);

  transport::Transport& transport_;
  double stuck_after_;
  Survivors survivors_;
  Topology topology_;
  Batch batch_;
  HostContext context_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Scheduler> scheduler_;
  std::optional<std::chrono::steady_clock::time_point> ending_since_;
  std::chrono::steady_clock::time_point last_tick_;
  std::chrono::steady_clock::time_point last_batch_ = std::chrono::steady_clock::now();
};

}  // namespace fdg::host
