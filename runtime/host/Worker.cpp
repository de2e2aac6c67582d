#include "runtime/host/Worker.h"

#include <torch/torch.h>

#include <chrono>
#include <cstdio>

#include "base/ConfigError.h"
#include "core/Crash.h"
#include "core/Failure.h"
#include "runtime/host/Coordinator.h"
#include "runtime/host/Ending.h"
#include "runtime/host/RankRun.h"
#include "runtime/host/Signals.h"
#include "runtime/host/Timings.h"
#include "runtime/host/Verify.h"
#include "runtime/host/Words.h"

namespace fdg::host {
namespace {

Trace inProcessTrace(const WorkerSetup& setup) {
  const place::Placement twin = place::collapse(setup.placement);
  const auto transport = transport::makeLocalTransport();
  RankRun run(setup, twin, *transport, nullptr);
  run.run();
  return mergeTrace(setup.manifest, run.coordinator()->takeTrace());
}

/// Rank 0 says how the run went; the others sleep until then, so that they take no time from its
/// oracles.
int agreeOnOutcome(const WorkerSetup& setup, const std::function<int()>& judge) {
  transport::Transport& transport = *setup.transport;
  int code = 0;
  if (transport.rank() == 0) {
    code = judge();
    tellOthers(transport, code);
  } else {
    FromRank0 word{CheckpointOrder(), 0};
    while (word.order) {  // of those that come too late
      if (auto letter = transport.takeLetter()) {
        word = unpacked<FromRank0>(std::move(letter->text));
        continue;
      }
      transport.progress();
      if (const int signal = signalFor(setup.placement, transport); signal != 0) {
        throw Interrupted{signal};
      }
      transport.waitForActivity(std::chrono::milliseconds(50));
    }
    code = word.code;
    if (code > 128) {
      throw Interrupted{code - 128, /*told=*/true};
    }
  }
  transport.finish();
  return code;
}

/// Rank 0 after its fragments and everyone else's have ended.
int judgeRun(const WorkerSetup& setup, Coordinator& coordinator) {
  if (setup.verify > 0) {
    return judgeTrace(setup.manifest, setup.placement,
                      mergeTrace(setup.manifest, coordinator.takeTrace()), setup.verify,
                      {[&] {
                         return sequentialTrace(setup.manifest, setup.code, setup.config,
                                                setup.seed, setup.verify);
                       },
                       [&] { return inProcessTrace(setup); }});
  }
  const std::string fault = coordinator.disagreement();
  if (!setup.timings.empty()) {
    saveTimings(setup.timings, setup.manifest, coordinator.scripts());
  }
  coordinator.finish(fault.empty() ? "finished" : "failed");
  if (!fault.empty()) {
    throw FragmentError(fault);
  }
  return 0;
}

/// Rank 0's last word where mpirun would not end the others.
void sendAway(const WorkerSetup& setup, int code) {
  tellOthers(*setup.transport, code);
  const auto end = std::chrono::steady_clock::now() + kTimeForLastWords;
  while (std::chrono::steady_clock::now() < end) {
    setup.transport->progress();
    setup.transport->waitForActivity(std::chrono::milliseconds(10));
  }
  noteOutcome(setup, code);
}

/// A run that a signal ended: what all have to say is collected, the report is closed, then this
/// process goes at once.
int endInterrupted(const WorkerSetup& setup, RankRun& run, const Interrupted& interrupted) {
  const int signal = interrupted.signal;
  if (Coordinator* coordinator = run.coordinator(); coordinator != nullptr) {
    run.collectLast(128 + signal);
    coordinator->finish("stopped by the user");
    if (CheckpointBook* book = coordinator->checkpoints(); book != nullptr) {
      sayWhereToGoOn(*book, kTimeForLastCheckpoint);
    }
    if (outlivesRanks(setup)) {
      sendAway(setup, 128 + signal);
    }
  } else {
    try {
      run.sayLast(interrupted.told);
    } catch (const std::exception&) {
      // rank 0 has ended meanwhile
    }
  }
  if (setup.transport->size() > 1) {
    std::fflush(nullptr);
    std::_Exit(128 + signal);
  }
  return 128 + signal;
}

int runOrThrow(const WorkerSetup& setup) {
  RankRun run(setup, setup.placement, *setup.transport, setup.verify > 0 ? nullptr : setup.report);
  try {
    run.run();
    const int code = agreeOnOutcome(setup, [&] { return judgeRun(setup, *run.coordinator()); });
    if (run.coordinator() != nullptr) {
      noteOutcome(setup, code);
    }
    return code;
  } catch (const Interrupted& interrupted) {
    return endInterrupted(setup, run, interrupted);
  } catch (...) {
    run.giveUp();
    throw;
  }
}

}  // namespace

int runWorker(const WorkerSetup& setup) {
  const CrashStack stack;
  torch::set_num_threads(1);
  try {
    return runOrThrow(setup);
  } catch (const RunLost& lost) {
    endLost(setup, lost);
  } catch (const ConfigError& error) {
    return endRefused(setup, error.what());
  } catch (const StuckError& error) {
    return endFailed(setup, error.what(), /*alone=*/false);
  } catch (const std::exception& error) {
    const bool alone = outlivesRanks(setup) &&
                       setup.placement.may_die[static_cast<size_t>(setup.transport->rank())];
    return endFailed(setup, sentenceOf(error), alone);
  } catch (...) {
    return endFailed(setup, "something was thrown that is no std::exception", /*alone=*/false);
  }
}

}  // namespace fdg::host
