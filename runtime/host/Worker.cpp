#include "runtime/host/Worker.h"

#include <torch/torch.h>

#include <chrono>
#include <cstdio>
#include <ctime>

#include "core/Crash.h"
#include "core/Failure.h"
#include "runtime/host/Coordinator.h"
#include "runtime/host/Ending.h"
#include "runtime/host/Pace.h"
#include "runtime/host/Scheduler.h"
#include "runtime/host/Signals.h"
#include "runtime/host/Survivors.h"
#include "runtime/host/Timings.h"
#include "runtime/host/Verify.h"
#include "runtime/host/Words.h"

namespace fdg::host {
namespace {

constexpr auto kTimeForLastCheckpoint = std::chrono::seconds(8);
constexpr auto kTimeForLastWords = std::chrono::milliseconds(200);
constexpr auto kTimeForLastBatches = std::chrono::seconds(1);

/// To some milliseconds, at a fifth of the cost: it is asked for at every iteration.
std::chrono::steady_clock::time_point coarseNow() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(time.tv_sec) +
                                               std::chrono::nanoseconds(time.tv_nsec));
}

/// The signal that this rank has to answer; 0: none. Where ranks are threads of one process, rank 0
/// does, and ends the others with it.
int signalFor(const place::Placement& placement, const transport::Transport& transport) {
  return placement.threads && transport.rank() != 0 ? 0 : caughtSignal();
}

/// One rank's run from opening its channels to its last word to rank 0.
class RankRun {
 public:
  RankRun(const WorkerSetup& setup, const place::Placement& placement,
          transport::Transport& transport, report::Report* report)
      : transport_(transport),
        stuck_after_(setup.stuck_after),
        survivors_(placement),
        topology_(layOut(setup.manifest, placement)),
        context_{.manifest = setup.manifest,
                 .placement = placement,
                 .topology = topology_,
                 .transport = transport,
                 .seed = setup.seed,
                 .keeps_saves = setup.verify == 0,
                 .iteration_limit = setup.verify,
                 .tracing = setup.verify > 0,
                 .batch = batch_,
                 .tick = [this](auto known) { tick(known ? *known : coarseNow()); },
                 .checkpoint = setup.checkpoint,
                 .in_step = inStep(setup.manifest, placement, topology_),
                 .keeps_spans = setup.timeline && setup.verify == 0,
                 .profiles = !setup.timings.empty() && setup.verify == 0} {
    if (transport.rank() == 0) {
      coordinator_ = std::make_unique<Coordinator>(setup.manifest, placement, report,
                                                   setup.verify > 0, setup.folder);
      if (setup.checkpoint != nullptr) {
        coordinator_->keepCheckpoints(*setup.checkpoint, topology_,
                                      [this](const CheckpointOrder& order) { post(order); });
      }
    }
    scheduler_ = std::make_unique<Scheduler>(
        context_, setup.code, setup.config, setup.stuck_after,
        [this, &setup](const std::string& sentence, bool is_alone) {
          if (is_alone) {
            giveUp();
          }
          tellBusy(setup, sentence, is_alone);
        });
    transport.connect();
    transport.onDeath([this](int rank) { takeDeath(rank); });
  }
  ~RankRun() { transport_.onDeath({}); }
  RankRun(const RankRun&) = delete;
  RankRun& operator=(const RankRun&) = delete;

  void run() {
    scheduler_->run([this] { tick(coarseNow()); });
    sendBatch(/*last=*/true);
    if (coordinator_) {
      waitForOthers();
    }
  }

  Coordinator* coordinator() { return coordinator_.get(); }

  /// After a failure here: what was logged and saved until then is not lost.
  void giveUp() {
    try {
      sendBatch(/*last=*/false);
      if (coordinator_) {
        takeLetters();
        coordinator_->flush();
        return;
      }
      const auto end = std::chrono::steady_clock::now() + kTimeForLastWords;
      while (std::chrono::steady_clock::now() < end) {
        transport_.progress();
        transport_.waitForActivity(std::chrono::milliseconds(10));
      }
    } catch (const std::exception&) {
      // the first cause is the one to tell
    }
  }

  /// After a signal: rank 0 asks all for what they still have to say, and waits a moment for it.
  void collectLast(int code) {
    transport_.onDeath({});
    sendBatch(/*last=*/true);
    tellOthers(transport_, code);
    const auto end = std::chrono::steady_clock::now() + kTimeForLastBatches;
    while (!coordinator_->allDone() && std::chrono::steady_clock::now() < end) {
      transport_.progress();
      takeLetters();
      transport_.waitForActivity(std::chrono::milliseconds(10));
    }
    coordinator_->tick();
  }

  /// The others say it, and stay until rank 0 has ended (which ends them) or a second signal or
  /// word comes: mpirun ends rank 0 with the first that goes.
  void sayLast(bool is_told) {
    const int signal = caughtSignal();
    transport_.onDeath({});
    sendBatch(/*last=*/true);
    const auto end = std::chrono::steady_clock::now() + 2 * kTimeForLastBatches;
    while (std::chrono::steady_clock::now() < end && caughtSignal() == signal) {
      transport_.progress();
      while (std::optional<transport::Letter> letter = transport_.takeLetter()) {
        const bool is_order = unpacked<FromRank0>(std::move(letter->text)).order.has_value();
        if (!is_order && is_told) {
          return;
        }
        is_told = is_told || !is_order;
      }
      transport_.waitForActivity(std::chrono::milliseconds(10));
    }
  }

 private:
  void tick(std::chrono::steady_clock::time_point now) {
    // What was saved is told at once: the next checkpoint waits until this one is whole.
    if (now - last_tick_ < std::chrono::milliseconds(20) && batch_.states.empty()) {
      return;
    }
    last_tick_ = now;
    checkSignals();
    try {
      exchange(now);
    } catch (const UserError& error) {
      throw FragmentError(error.what());  // a file of the run, not the fragment at work
    }
  }

  void exchange(std::chrono::steady_clock::time_point now) {
    if (!batch_.states.empty() || !batch_.holds.empty() ||
        now - last_batch_ > std::chrono::milliseconds(150)) {
      last_batch_ = now;
      sendBatch(/*last=*/false);
    }
    takeLetters();
    if (coordinator_) {
      coordinator_->tick();
    }
  }

  void takeDeath(int rank) {
    const Loss loss = survivors_.lose(rank);
    const std::string sentence = transport_.nameOf(rank) + loss.text;
    if (loss.ends_run) {
      throw RunLost(sentence, survivors_.first() == transport_.rank());
    }
    if (coordinator_) {
      coordinator_->lose(rank, sentence);
    }
  }

  void waitForOthers() {
    auto heard = std::chrono::steady_clock::now();
    while (!coordinator_->allDone()) {
      transport_.progress();
      if (takeLetters()) {
        heard = std::chrono::steady_clock::now();
      }
      checkSignals();
      coordinator_->tick();
      if (coordinator_->allDone()) {
        break;
      }
      if (std::chrono::steady_clock::now() - heard > std::chrono::duration<double>(stuck_after_)) {
        throw FragmentError(std::string(unitOf(context_.placement)) +
                            " 0 has ended its fragments and has heard nothing of " +
                            coordinator_->notDone() + " for " +
                            std::to_string(static_cast<int>(stuck_after_)) + " s (--stuck-after)");
      }
      transport_.waitForActivity(std::chrono::milliseconds(20));
    }
    coordinator_->tick();  // closes the checkpoints that the last words made whole
  }

  /// A run that keeps checkpoints makes one more before it ends.
  void checkSignals() {
    const int signal = signalFor(context_.placement, transport_);
    if (signal == 0) {
      return;
    }
    const bool keeps = context_.checkpoint != nullptr && context_.checkpoint->writes();
    if (keeps && !ending_since_) {
      ending_since_ = std::chrono::steady_clock::now();
      if (coordinator_) {
        coordinator_->checkpoints()->request();
      }
    }
    const bool is_made = coordinator_ && keeps && coordinator_->checkpoints()->isIdle();
    if (!keeps || is_made ||
        std::chrono::steady_clock::now() - *ending_since_ > kTimeForLastCheckpoint) {
      throw Interrupted{signal};
    }
  }

  void post(const CheckpointOrder& order) {
    for (int rank = 1; rank < transport_.size(); ++rank) {
      transport_.post(rank, packed(FromRank0{order, 0}));
    }
    scheduler_->obey(order);
  }

  bool takeLetters() {
    bool any = false;
    while (std::optional<transport::Letter> letter = transport_.takeLetter()) {
      if (coordinator_) {
        coordinator_->accept(unpacked<Batch>(std::move(letter->text)));
      } else {
        const auto word = unpacked<FromRank0>(std::move(letter->text));
        if (!word.order) {
          throw Interrupted{word.code - 128, /*told=*/true};
        }
        scheduler_->obey(*word.order);
      }
      any = true;
    }
    return any;
  }

  void sendBatch(bool last) {
    batch_.rank = transport_.rank();
    batch_.last = last;
    batch_.scripts = last ? scheduler_->scripts() : std::vector<ScriptRecord>();
    batch_.fragments = scheduler_ ? scheduler_->fragmentRecords() : std::vector<FragmentRecord>();
    batch_.boundaries = scheduler_ ? scheduler_->boundaryRecords() : std::vector<BoundaryRecord>();
    if (coordinator_) {
      coordinator_->accept(std::move(batch_));
    } else {
      transport_.post(0, packed(batch_));
    }
    batch_ = Batch();
  }

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
