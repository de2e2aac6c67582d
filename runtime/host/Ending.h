// How a rank leaves a run that does not come to its own end, and what the others and fdg-run learn.
//
// Where a rank may die (on_failure: continue) Open MPI's mpirun keeps no exit code, kills nobody
// and tells the others only of ranks that a signal ended. So such a run's exit code goes into a
// file, with the sentence that says why (who would say it for all may be stopped, and mpirun may be
// ended before it passes a word on); a rank that fails kills itself, and ranks that all know the
// run is over leave by themselves.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>

#include "runtime/host/CheckpointBook.h"
#include "runtime/host/Worker.h"

namespace fdg::host {

/// A rank has died without which the run cannot go on. All others find it out.
class RunLost : public std::runtime_error {
 public:
  /// `speaks`: this rank says it for all where no file carries it.
  RunLost(const std::string& sentence, bool speaks)
      : std::runtime_error(sentence), speaks_(speaks) {}
  bool speaks() const { return speaks_; }

 private:
  bool speaks_;
};

/// Ranks of this run may die while it goes on.
bool outlivesRanks(const WorkerSetup& setup);

/// What fdg-run reads where mpirun does not say it; the first word counts. Whole or not there.
/// False: there is no such file, and whoever has something to say has to say it.
bool noteOutcome(const WorkerSetup& setup, int code, const std::string& sentence = {});

/// The program refuses its config (base/ConfigError.h): says only that, as of a wrong call, and ends all
/// ranks.
int endRefused(const WorkerSetup& setup, const std::string& sentence);

/// Says why and ends all ranks, or this one alone where the others go on without it (`alone`).
int endFailed(const WorkerSetup& setup, const std::string& cause, bool alone);

/// Where a signal ended the run before its last checkpoint was made: why, and which one there is.
void sayWhereToGoOn(CheckpointBook& book, std::chrono::seconds waited);

/// A fragment of this rank computes without an end: says so from the watch's thread (StuckWatch.h), and
/// ends the run where nobody else would (`is_alone`).
void tellBusy(const WorkerSetup& setup, const std::string& sentence, bool is_alone);

/// Ends this rank like all others.
[[noreturn]] void endLost(const WorkerSetup& setup, const RunLost& lost);

}  // namespace fdg::host
