// The folder of a run's checkpoints: FOLDER/iteration-000000500/{checkpoint.json, policy.yaml,
// FRAGMENT-REPLICA.safetensors, …}.
//
// A checkpoint is made under a name that begins with a dot and renamed when everything is on disk;
// what has such a name was never whole. The last two of a run are kept; what has another name (a
// copy, one that was renamed) or belongs to another run is left alone. Throws UserError with the
// cause if something cannot be written.
#pragma once

#include <string>

#include "base/Manifest.h"
#include "runtime/checkpoint/Record.h"

namespace fdg::checkpoint {

/// A checkpoint that was found.
struct Found {
  std::string folder;  ///< Of this checkpoint: a path from the root, without links.
  Record record;
};

/// "iteration-000000500", or "line-41-iteration-000000500" where the program has several loops.
std::string nameOf(Point point, const Manifest& manifest);
/// Where the fragments write their state; made if it is not there.
std::string openFolder(const std::string& folder, const std::string& name);
/// Writes the record, syncs, gives the checkpoint its name, and removes all but the run's last two.
std::string closeFolder(const std::string& folder, const std::string& name, const Record& record);
/// Removes one that was given up.
void dropFolder(const std::string& folder, const std::string& name);
/// Removes checkpoints that were never whole.
void removeUnfinished(const std::string& folder);
/// The highest number of a checkpoint in the folder; 0: there is none.
int64_t highestNumber(const std::string& folder);

/// The newest checkpoint of a run's folder, or the one that `path` itself is. The error says why
/// there is none, or, where there are those of several runs, which ones.
Result<Found> findCheckpoint(const std::string& path);
/// Throws UserError if the folder has checkpoints of another run.
void refuseUsedCheckpoints(const std::string& folder);

}  // namespace fdg::checkpoint
