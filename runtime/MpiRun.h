// Starts workers with mpirun, waits for them, and leaves none behind.
//
// mpirun gets a process group of its own, so that Ctrl-C reaches this process alone. The first
// SIGINT or SIGTERM is passed to rank 0 as SIGUSR1 (mpirun itself would cut their last words off),
// a second one, or 10 s without an end, kills mpirun and everything below it. If this process dies,
// mpirun gets SIGTERM; a worker whose mpirun is gone ends itself (endWithParent). Threads: one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fdg {

/// The environment variable that names the file for `outcome` to the workers.
constexpr const char* kOutcomeVariable = "FDG_OUTCOME";

/// mpirun with the options its version needs, ready for `-n` and the program; it keeps its files in
/// `session`. `tolerant`: the others outlive a rank's death. Throws UserError if there is none, it
/// is no Open MPI, or too old for what is asked.
std::vector<std::string> mpirunCommand(const std::filesystem::path& session, bool tolerant);

/// The exit code: that of the workers (0, 1, 2), or 130/143 if the user ended the run. `outcome`:
/// where a rank writes it, and behind it what to tell the user, for a tolerant mpirun keeps none and
/// waits for ranks that are stopped; empty: mpirun has it.
int runUnderMpi(const std::vector<std::string>& command, const std::filesystem::path& outcome);

/// In a worker: the process ends when its parent does. On rank 0 SIGUSR1 becomes SIGINT; the others
/// leave it to mpirun to end them when rank 0 has said its last word, which mpirun would not pass
/// on after their end.
void endWithParent(bool is_rank_0);

}  // namespace fdg
