#include "runtime/StartRanks.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "base/Check.h"
#include "runtime/Job.h"
#include "runtime/MpiRun.h"
#include "runtime/MpiSegments.h"
#include "runtime/SessionFolder.h"
#include "runtime/checkpoint/Folder.h"
#include "runtime/place/Threads.h"

namespace fdg {

void refuseCrowd(const Options& options, const place::Placement& placement, int cores) {
  constexpr int kRanksPerCore = 32;
  if (placement.ranks <= kRanksPerCore * cores || options.oversubscribe) {
    return;
  }
  const std::string unit = unitOf(placement);
  throw UserError(
      std::to_string(placement.ranks) + " " + unit + "s on " + std::to_string(cores) +
      (cores == 1 ? " core" : " cores") +
      (placement.threads ? ": " : ": each is a process with LibTorch, and ") +
      "they would mostly wait for each other; replicas on one " + unit +
      " become one instance, so ask for fewer " + unit + "s with -n" +
      (placement.threads ? "" : ", or start fdg-run on several machines with mpirun or srun") +
      ". --oversubscribe starts them nevertheless");
}

void refuseForThreads(const Options& options, const place::Policy& policy) {
  if (!place::inThreads(policy)) {
    return;
  }
  const std::string start = policy.file + " says in: threads, so the run is one process";
  if (options.force_mpi) {
    throw UserError(start +
                    ", and nothing in it goes over MPI: leave --carrier mpi and "
                    "--inject-latency out");
  }
  if (startedByMpi() && ranksInJob() != 1) {
    throw UserError(start + ": start fdg-run by itself, or with one rank of mpirun or srun");
  }
}

int startRanks(const Options& options, const std::string& executable, bool tolerant) {
  const SessionFolder session;
  const MpiSegments segments;
  std::vector<std::string> command = mpirunCommand(session.path(), tolerant);
  command.insert(command.end(), {"-n", std::to_string(options.ranks), executable});
  const std::vector<std::string> arguments = workerArguments(options);
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::filesystem::path outcome =
      tolerant ? session.path() / "outcome" : std::filesystem::path();
  ::setenv(kOutcomeVariable, outcome.c_str(), /*overwrite=*/1);
  return runUnderMpi(command, outcome);
}

int startAgainAndAgain(Options options, const std::string& executable) {
  constexpr int kFruitless = 3;
  for (int fruitless = 0;;) {
    const int code = startRanks(options, executable, /*tolerant=*/false);
    if (code != 1) {
      return code;
    }
    auto found = checkpoint::findCheckpoint(options.checkpoint);
    if (!found) {
      std::cerr << "fdg-run: cannot restart the run: " << found.error() << std::endl;
      return code;
    }
    fruitless = found->folder == options.resume ? fruitless + 1 : 0;
    if (fruitless == kFruitless) {
      std::cerr << "fdg-run: " << kFruitless << " starts from " << options.resume
                << " have failed before the next checkpoint; not trying again" << std::endl;
      return code;
    }
    options.resume = found->folder;
    std::cerr << "fdg-run: restarting all ranks from " << options.resume << std::endl;
  }
}

}  // namespace fdg
