// The command line of fdg-run as data. Throws UserError (exit 2) for a wrong one, naming the
// nearest option.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fdg {

struct Options {
  std::string plan;
  std::string policy = "single";
  int ranks = 0;                    ///< -n; 0: as many as the policy wants.
  std::optional<int64_t> replicas;  ///< Of every fill group.
  std::vector<std::string> sets;    ///< FIELD=VALUE, in order.
  std::string config;               ///< A YAML file with fields; applied before `sets`.
  uint64_t seed = 1;
  std::string out;             ///< Empty: runs/PROGRAM-001, counting up.
  bool oversubscribe = false;  ///< However many ranks on this machine.
  bool dry_run = false;
  std::string cluster;               ///< With dry_run: a YAML file that describes one.
  std::vector<std::string> timings;  ///< A run writes the first; a dry run reads all.
  bool explain = false;
  int64_t verify = 0;
  bool force_mpi = false;
  double latency = 0;         ///< Seconds, added to every message over MPI; implies force_mpi.
  std::optional<int> window;  ///< Of boundaries whose rule does not say one by name or operation.
  double stuck_after = 300;   ///< Seconds.
  std::string checkpoint;     ///< Folder; empty: no checkpoints are written.
  std::string every;          ///< "500" iterations, or a time such as "60s".
  std::string resume;         ///< A folder of checkpoints, or one of them.
  std::vector<std::string> given;  ///< The options that the call names.
  std::string timeline;            ///< A trace-event file; empty: none.
  bool quiet = false;
  bool worker = false;  ///< Started by fdg-run itself under mpirun.
  int terminal = 0;     ///< Columns of the door's terminal, 0: standard error is none.
  std::string text;     ///< What --help or --version prints; then nothing else counts.
};

/// Iterations or seconds between two checkpoints; the other is 0.
struct Interval {
  int64_t iterations = 0;
  double seconds = 0;
};
Interval intervalOf(const std::string& every);

/// `arguments` without the program's name.
Options parseOptions(const std::vector<std::string>& arguments);

/// The arguments of the same call as a worker: parseOptions gives these options back.
std::vector<std::string> workerArguments(const Options& options);

}  // namespace fdg
