#include "runtime/host/RankRun.h"

#include <ctime>

#include "core/Failure.h"
#include "runtime/host/Pace.h"
#include "runtime/host/Signals.h"
#include "runtime/host/Words.h"

namespace fdg::host {
namespace {

constexpr auto kTimeForLastBatches = std::chrono::seconds(1);

/// To some milliseconds, at a fifth of the cost: it is asked for at every iteration.
std::chrono::steady_clock::time_point coarseNow() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(time.tv_sec) +
                                               std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace

int signalFor(const place::Placement& placement, const transport::Transport& transport) {
  return placement.threads && transport.rank() != 0 ? 0 : caughtSignal();
}

RankRun::RankRun(const WorkerSetup& setup, const place::Placement& placement,
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

void RankRun::run() {
  scheduler_->run([this] { tick(coarseNow()); });
  sendBatch(/*last=*/true);
  if (coordinator_) {
    waitForOthers();
  }
}

void RankRun::giveUp() {
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

void RankRun::collectLast(int code) {
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

void RankRun::sayLast(bool is_told) {
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

void RankRun::tick(std::chrono::steady_clock::time_point now) {
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

void RankRun::exchange(std::chrono::steady_clock::time_point now) {
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

void RankRun::takeDeath(int rank) {
  const Loss loss = survivors_.lose(rank);
  const std::string sentence = transport_.nameOf(rank) + loss.text;
  if (loss.ends_run) {
    throw RunLost(sentence, survivors_.first() == transport_.rank());
  }
  if (coordinator_) {
    coordinator_->lose(rank, sentence);
  }
}

void RankRun::waitForOthers() {
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

void RankRun::checkSignals() {
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

void RankRun::post(const CheckpointOrder& order) {
  for (int rank = 1; rank < transport_.size(); ++rank) {
    transport_.post(rank, packed(FromRank0{order, 0}));
  }
  scheduler_->obey(order);
}

bool RankRun::takeLetters() {
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

void RankRun::sendBatch(bool last) {
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

}  // namespace fdg::host
