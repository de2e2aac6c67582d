#include "runtime/OneRank.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/Check.h"
#include "base/RunFolder.h"
#include "runtime/MpiRun.h"
#include "runtime/Resume.h"
#include "runtime/RunRecord.h"
#include "runtime/place/Threads.h"

namespace fdg {
namespace {

/// The folders are free for this run, or those of the run that goes on.
void checkFolders(const Call& call, const std::string& folder) {
  if (call.resume) {
    return;
  }
  refuseUsedFolder(folder);
  if (!call.options.checkpoint.empty()) {
    checkpoint::refuseUsedCheckpoints(call.options.checkpoint);
  }
}

host::CheckpointSetup checkpointsFor(const Call& call, const place::Placement& placement,
                                     const std::string& folder) {
  if (call.options.verify > 0) {
    return {};
  }
  const Interval every = intervalOf(call.options.every);
  return {
      .folder = call.options.checkpoint,
      .every_iterations = every.iterations,
      .every_seconds = every.seconds,
      .run = describeRun(call.options, call.policy, placement, folder, configValues(call.visit())),
      .manifest_hash = hashOf(call.manifest),
      .resume = call.resume ? &*call.resume : nullptr};
}

std::optional<int64_t> resumedIteration(const Call& call) {
  if (!call.resume) {
    return std::nullopt;
  }
  int64_t iteration = 0;
  for (const checkpoint::SavedFragment& saved : call.resume->record.fragments) {
    iteration = std::max(iteration, saved.point.iteration);
  }
  return iteration;
}

/// What the log of a run that goes on holds already; nothing where it begins a new one, in another
/// folder.
std::optional<Written> keptLog(const Call& call, const std::string& folder) {
  if (!call.resume) {
    return std::nullopt;
  }
  std::error_code none;
  const std::string& before = call.resume->record.run.out;
  if (isSameFolder(folder, before) || std::filesystem::exists(folder + "/log.jsonl", none)) {
    return call.resume->record.log;
  }
  if (!call.options.quiet) {
    std::cerr << "fdg-run: " << folder << "/log.jsonl begins at the checkpoint; what was logged before "
              << "it is in " << before << std::endl;
  }
  return std::nullopt;
}

/// What --timings writes at the end can be written.
void checkTimings(const Call& call) {
  for (const std::string& path : call.options.timings) {
    if (std::ofstream(path, std::ios::app).fail()) {
      throw UserError("cannot write " + path + " (--timings): " + std::strerror(errno));
    }
  }
}

}  // namespace

std::vector<FolderLock> takeFolders(const Call& call, std::string& folder) {
  const std::string& kept = call.options.checkpoint;
  std::vector<FolderLock> locks;
  if (!kept.empty()) {
    locks.emplace_back(kept, "--checkpoint");
  }
  folder = makeRunFolder(folder, call.manifest.program);
  if (kept.empty() || !isSameFolder(kept, folder)) {
    locks.emplace_back(folder, "--out");
  }
  checkFolders(call, folder);
  return locks;
}

int terminalColumns() {
  winsize size = {};
  if (::isatty(STDERR_FILENO) == 0) {
    return 0;
  }
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int runRank(const Call& call, const place::Placement& placement, transport::Transport& transport,
            const std::vector<transport::Transport*>& others, const std::string& folder,
            const RunWorker& run_worker) {
  std::unique_ptr<report::Report> report;
  if (transport.rank() == 0 && call.options.verify == 0) {
    checkTimings(call);
    report = std::make_unique<report::Report>(report::ReportOptions{
        .folder = folder,
        .program = call.manifest.program,
        .quiet = call.options.quiet,
        .kept_log = keptLog(call, folder),
        .resumed_iteration = resumedIteration(call),
        .timeline = call.options.timeline,
        .unit = unitOf(placement),
        .columns = call.options.terminal > 0 ? call.options.terminal : terminalColumns()});
    writeRunRecord(folder, call.options, call.manifest, call.policy, placement,
                   configValues(call.visit()));
  }
  const host::CheckpointSetup checkpoints = checkpointsFor(call, placement, folder);
  const char* outcome = std::getenv(kOutcomeVariable);
  return run_worker({.manifest = call.manifest,
                     .code = *call.code,
                     .placement = placement,
                     .transport = &transport,
                     .others = others,
                     .config = call.config.get(),
                     .seed = call.options.seed,
                     .folder = folder,
                     .verify = call.options.verify,
                     .stuck_after = call.options.stuck_after,
                     .report = report.get(),
                     .checkpoint = &checkpoints,
                     .timeline = !call.options.timeline.empty(),
                     .timings = call.options.timings.empty() ? "" : call.options.timings.front(),
                     .outcome = outcome == nullptr ? "" : outcome});
}

}  // namespace fdg
