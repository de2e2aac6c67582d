#include "runtime/Launch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "base/Check.h"
#include "base/RunFolder.h"
#include "core/Failure.h"
#include "runtime/Call.h"
#include "runtime/CallFacts.h"
#include "runtime/DryRun.h"
#include "runtime/Job.h"
#include "runtime/MpiRun.h"
#include "runtime/MpiSegments.h"
#include "runtime/OneRank.h"
#include "runtime/PlanFile.h"
#include "runtime/Resume.h"
#include "runtime/StartRanks.h"
#include "runtime/Verifiable.h"
#include "runtime/place/Cluster.h"
#include "runtime/place/Explain.h"
#include "runtime/place/Threads.h"

namespace fdg {
namespace {

constexpr int kCallIsWrong = host::kCallIsWrong;

/// Says a sentence once, although every rank finds the same mistake: rank 0 at once, the others
/// only if they are still there afterwards, because theirs was a different one.
void say(const std::string& sentence) {
  const int rank = rankInJob();
  if (rank > 0) {
    ::sleep(3);  // mpirun, where there is much else to do, takes its time to end them
    std::cerr << "fdg-run: on rank " << rank << ": " << sentence << std::endl;
    return;
  }
  std::cerr << "fdg-run: " << sentence << std::endl;
}

/// The machine, or the ranks that mpirun or srun gave us.
place::Cluster clusterFor(const Call& call, const transport::Transport* transport) {
  const bool of_job =  // a dry run
      call.options.ranks == 0 && startedByMpi() && !place::inThreads(call.policy);
  return transport == nullptr ? place::thisMachine(of_job ? ranksInJob() : call.options.ranks)
                              : place::startedRanks(transport->leaders());
}

place::Placement placed(const Call& call, const place::Cluster& cluster) {
  Result<place::Placement> placement = place::place(call.manifest, call.policy, cluster);
  if (!placement && call.resume) {
    refuseOtherPlacement(*call.resume, placement.error());
  }
  return std::move(placement).orThrow();
}

/// What --checkpoint and --resume ask of a placed plan.
void checkCheckpoints(const Call& call, const place::Placement& placement) {
  const bool keeps =
      !call.options.checkpoint.empty() || call.policy.on_failure == place::OnFailure::restart;
  const auto on_gpu = std::ranges::find_if(
      placement.instances, [](const place::Instance& i) { return i.device != "cpu"; });
  if (keeps && on_gpu != placement.instances.end()) {
    throw UserError("checkpoints keep tensors of the CPU only, and group " +
                    placement.groups[static_cast<size_t>(on_gpu->group)] +
                    " is on a GPU; leave --checkpoint out, or use device: cpu");
  }
  if (!call.options.checkpoint.empty()) {
    checkKeepable(call.manifest);
  }
  if (call.resume) {
    checkSameRun(*call.resume, placement, configValues(call.visit()));
  }
}

int runAsWorker(const Call& call, const RunWorker& run_worker) {
  if (call.options.worker) {
    endWithParent(rankInJob() == 0);
  }
  const auto transport = transport::makeMpiTransport(
      {.force_mpi = call.options.force_mpi,
       .latency = std::chrono::microseconds(std::llround(call.options.latency * 1e6)),
       .tolerant = call.policy.on_failure == place::OnFailure::go_on,
       .call = callFacts(call.options, call.policy, configValues(call.visit()))});
  settleMpiSegments();  // all have started
  if (call.options.ranks > 0 && call.options.ranks != transport->size()) {
    throw UserError("-n " + std::to_string(call.options.ranks) + ", but mpirun or srun started " +
                    std::to_string(transport->size()) + " ranks; leave -n out");
  }
  const place::Placement placement = placed(call, clusterFor(call, transport.get()));
  checkVerifiable(call.options, call.policy, call.manifest, placement);
  checkCheckpoints(call, placement);
  std::string folder =
      call.options.out.empty() ? folderOfJob(call.manifest.program) : call.options.out;
  if (call.options.verify == 0) {
    folder = makeRunFolder(folder, call.manifest.program);
  }
  try {
    std::vector<FolderLock> locks;
    if (transport->rank() == 0 && call.options.verify == 0 && !call.options.worker) {
      locks = takeFolders(call, folder);
    } else if (transport->rank() == 0 && call.options.verify == 0) {
      locks.push_back(lockForRanks(folder, "--out"));
      const std::string& kept = call.options.checkpoint;
      if (!kept.empty() && !isSameFolder(kept, folder)) {
        locks.push_back(lockForRanks(kept, "--checkpoint"));
      }
    }
    return runRank(call, placement, *transport, {}, folder, run_worker);
  } catch (const UserError& error) {
    if (transport->size() > 1) {  // the others wait for this rank, and so would leaving MPI
      say(error.what());
      ::usleep(100'000);  // mpirun passes it on
      transport->abort(kCallIsWrong);
    }
    throw;
  }
}

/// All ranks in this process: one, or several as threads.
int runHere(const Call& call, const place::Placement& placement, const std::string& folder,
            const RunWorker& run_worker) {
  if (!placement.threads) {
    const auto transport = transport::makeLocalTransport();
    return runRank(call, placement, *transport, {}, folder, run_worker);
  }
  const auto transports = transport::makeThreadTransports(placement.ranks);
  std::vector<transport::Transport*> others;
  for (const auto& transport : transports) {
    others.push_back(transport.get());
  }
  others.erase(others.begin());
  return runRank(call, placement, *transports.front(), others, folder, run_worker);
}

Options workerOptions(const Call& call, const place::Placement& placement,
                      const std::string& folder) {
  Options options = call.options;
  options.ranks = placement.ranks;
  options.out = folder;
  options.terminal = terminalColumns();
  return options;
}

int runFromDoor(const Call& call, const RunWorker& run_worker) {
  const place::Cluster cluster = clusterFor(call, nullptr);
  if (call.options.dry_run) {
    if (rankInJob() == 0) {  // under mpirun one of them says it
      std::cout << dryRun(call.options, call.manifest, call.policy, cluster);
    }
    return 0;
  }
  const place::Placement placement = placed(call, cluster);
  refuseCrowd(call.options, placement, cluster.cores());
  checkVerifiable(call.options, call.policy, call.manifest, placement);
  checkCheckpoints(call, placement);
  const bool restarts = call.policy.on_failure == place::OnFailure::restart;
  if (restarts && call.options.checkpoint.empty()) {
    throw UserError(call.policy.file +
                    ": on_failure: restart goes on from the last checkpoint; add --checkpoint "
                    "FOLDER to the call");
  }
  std::string folder = call.options.out;
  std::vector<FolderLock> locks;
  if (call.options.verify == 0) {
    locks = takeFolders(call, folder);
  }
  if (restarts) {
    return startAgainAndAgain(workerOptions(call, placement, folder), executable());
  }
  if (placement.ranks > 1 && !placement.threads) {
    return startRanks(workerOptions(call, placement, folder), executable(),
                      /*tolerant=*/!placement.may_die.empty());
  }
  return runHere(call, placement, folder, run_worker);
}

/// Of the plan, or of the one that a checkpoint was made by, with the values that its config has.
std::string explained(const Options& options) {
  const std::string plan =
      options.plan.empty() ? checkpoint::findCheckpoint(options.resume).orThrow().record.run.plan
                           : options.plan;
  Manifest manifest = readPlanManifest(plan).orThrow();
  const host::PlanCode* code = loadPlan(plan, manifest).orThrow();
  const Config config(code->make_config(), code->free_config);
  const ConfigValues values =
      configValues([&](ConfigVisitor& visitor) { code->visit_config(config.get(), visitor); });
  for (const auto& [name, value] : values) {
    const auto field = std::ranges::find(manifest.config, name, &ConfigField::name);
    if (field != manifest.config.end()) {
      field->default_text = value.empty() ? "\"\"" : value;
    }
  }
  return place::explainPlan(manifest);
}

int walk(const std::vector<std::string>& arguments, const RunWorker& run_worker) {
  Options options = parseOptions(arguments);
  if (!options.text.empty() || options.explain) {
    if (rankInJob() == 0) {
      std::cout << (options.explain ? explained(options) : options.text);
    }
    return 0;
  }
  const Call call = readCall(std::move(options));
  refuseForThreads(call.options, call.policy);
  const bool is_worker =
      startedByMpi() && !call.options.dry_run && !place::inThreads(call.policy);
  return is_worker ? runAsWorker(call, run_worker) : runFromDoor(call, run_worker);
}

}  // namespace

int launch(const std::vector<std::string>& arguments, const RunWorker& run_worker) {
  // Ranks share the cores; threads of the mathematics library would fight over them.
  ::setenv("OMP_NUM_THREADS", "1", /*overwrite=*/0);
  ::setenv("MKL_NUM_THREADS", "1", /*overwrite=*/0);
  try {
    return walk(arguments, run_worker);
  } catch (const UserError& error) {
    say(error.what());
    return kCallIsWrong;
  } catch (const std::exception& error) {
    say("the run failed: " + sentenceOf(error));
    return 1;
  } catch (...) {
    say("the run failed: something was thrown that is no std::exception");
    return 1;
  }
}

}  // namespace fdg
