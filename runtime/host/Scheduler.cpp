#include "runtime/host/Scheduler.h"

#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <chrono>

#include "base/ConfigError.h"
#include "core/Crash.h"
#include "core/Failure.h"
#include "runtime/host/Ending.h"
#include "runtime/host/Guards.h"

namespace fdg::host {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds in which a rank that computes says so before one that waits for it ends the run.
constexpr double kForWhoComputes = 0.5;

/// So long a fragment waits before it says so to other ranks; where there are none, so many turns of
/// others, which do not depend on timing.
constexpr auto kStandsStill = std::chrono::milliseconds(20);
constexpr int64_t kManyTurns = 1000;

std::string whole(double seconds) { return std::to_string(static_cast<int>(seconds)) + " s"; }

}  // namespace

struct Scheduler::Slot {
  Slot(HostContext& context, const Endpoint& endpoint)
      : host(context, endpoint), run(host), ports(host), gpu(host.gpu()) {
    crash_place.text = std::string(unitOf(context.placement)) + " " +
                       std::to_string(context.transport.rank()) + ": " + host.whoIs();
    crash_place.iterations = &host.iterations();
  }

  std::string place() const { return host.placeAt(host.present()); }

  int number = 0;
  FragmentHost host;
  Run run;
  Ports ports;
  std::optional<at::Device> gpu;
  CrashPlace crash_place;
  Guards guards;                     // before the task, whose guards write back when it goes
  Task task;
  bool ended = false;
  Clock::duration computing{};            // in turns that are over
  std::optional<Clock::time_point> turn;  // since when it is at work; that may be the whole run
  Clock::time_point moved = Clock::now();  // last
  int64_t turns_without = 0;               // since then
  Clock::time_point started = Clock::now();
  double lived = 0;
};

Scheduler::Scheduler(HostContext& context, const PlanCode& code, const void* config,
                     double stuck_after,
                     std::function<void(const std::string&, bool)> on_busy)
    : context_(context), stuck_after_(stuck_after) {
  for (const Endpoint& endpoint : context.topology.endpoints) {
    if (endpoint.rank != context.transport.rank()) {
      has_remote_ = true;
      continue;
    }
    auto slot = std::make_unique<Slot>(context, endpoint);
    slot->task = code.fragments[static_cast<size_t>(endpoint.fragment)].start(slot->run, config,
                                                                              slot->ports);
    slot->number = static_cast<int>(slots_.size());
    slots_.push_back(std::move(slot));
  }
  if (on_busy) {
    const auto say = [this, on_busy](int slot, int64_t iteration) {
      on_busy(slots_[static_cast<size_t>(slot)]->host.placeAt(iteration) + " has computed for " +
                  whole(stuck_after_) + " without an end",
              !has_remote_);
    };
    watch_ = std::make_unique<StuckWatch>(stuck_after_, /*holds=*/!has_remote_, say);
    context_.watch = watch_.get();
  }
}

Scheduler::~Scheduler() { context_.watch = nullptr; }

void Scheduler::finish(Slot& slot) {
  slot.ended = true;
  slot.turn.reset();
  slot.lived = secondsSince(slot.started);
  slot.task = Task();  // its components end here, not when the rank does
  slot.host.close();
}

/// True if the fragment has ended.
bool Scheduler::resume(Slot& slot) {
  if (!watch_) {
    return slot.task.resume();
  }
  struct Turn {
    StuckWatch& watch;
    ~Turn() { watch.leave(); }
  };
  watch_->enter(slot.number, slot.host.present());
  const Turn turn{*watch_};
  return slot.task.resume();
}

bool Scheduler::standsStill(const Slot& slot) const {
  return has_remote_ ? now_ - slot.moved > kStandsStill : slot.turns_without > kManyTurns;
}

/// True if the fragment did anything. `all_wait`: no fragment of this rank did in the turn before.
bool Scheduler::advance(Slot& slot, bool all_wait) {
  const AtWork at_work(slot.crash_place);
  const UnderGuards under(slot.guards);
  const c10::OptionalDeviceGuard on(slot.gpu);
  const auto start = now_;
  slot.turn = start;
  const int64_t before = slot.task.advances();
  bool moved = false;
  slot.host.beginTurn(start);
  slot.host.spans().beginTurn();
  try {
    const bool done = resume(slot);
    moved = slot.task.advances() != before;
    if (done) {
      now_ = clock_.now();
      slot.computing += now_ - start;
      slot.host.spans().endTurn(/*moved=*/true, slot.host.iterations() - 1);
      finish(slot);
      return true;
    }
    moved = slot.host.pumpDrains() || moved;
    slot.turns_without = moved ? 0 : slot.turns_without + 1;
    if (!moved && (all_wait || standsStill(slot))) {
      moved = slot.host.speak();
    }
    slot.host.spans().endTurn(moved, slot.host.iterations() - 1);
  } catch (const Closed&) {
    finish(slot);
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const FragmentError&) {
    throw;
  } catch (const RunLost&) {
    throw;
  } catch (const ConfigError&) {
    throw;
  } catch (const std::exception& error) {
    throw FragmentError(slot.place() + ": " + sentenceOf(error));
  } catch (...) {
    throw FragmentError(slot.place() +
                        ": something was thrown that is no std::exception, so it says nothing more");
  }
  slot.turn.reset();
  if (moved) {
    now_ = clock_.now();
    slot.computing += now_ - start;
    slot.moved = now_;
  }
  slot.host.endTurn(now_);
  return moved;
}

std::string Scheduler::whoWaits() const {
  std::string text;
  for (const auto& slot : slots_) {
    if (!slot->ended) {
      text += "\n  " + slot->host.waitingFor();
    }
  }
  return text;
}

void Scheduler::run(const std::function<void()>& idle) {
  now_ = clock_.now();
  auto last_move = now_;
  bool all_wait = false;
  size_t alive = slots_.size();
  while (alive > 0) {
    bool moved = context_.transport.progress();
    if (has_remote_) {  // messages take time that is no fragment's
      now_ = clock_.now();
    }
    for (const auto& slot : slots_) {
      if (!slot->ended && advance(*slot, all_wait)) {
        moved = true;
        alive -= slot->ended ? 1 : 0;
      }
    }
    if (moved) {
      last_move = now_;
      all_wait = false;
      continue;
    }
    if (!has_remote_ && !all_wait) {
      all_wait = true;
      continue;
    }
    idle();
    const bool held = std::ranges::any_of(
        slots_, [](const auto& slot) { return !slot->ended && slot->host.state().isHeld(); });
    if (!has_remote_ && !held) {
      throw FragmentError("the fragments wait for each other and nothing can move:" + whoWaits());
    }
    if (secondsSince(last_move) > stuck_after_ + kForWhoComputes) {
      throw StuckError("nothing has moved for " + whole(stuck_after_) +
                       " (--stuck-after):" + whoWaits());
    }
    const auto most =
        now_ - last_move < kStandsStill ? kStandsStill : std::chrono::milliseconds(50);
    const bool for_equals = std::ranges::all_of(
        slots_, [](const auto& slot) { return slot->ended || slot->host.waitsForEquals(); });
    if (for_equals) {
      context_.transport.waitForEquals(most);
    } else {
      context_.transport.waitForActivity(most);
    }
    now_ = clock_.now();
  }
}

std::vector<FragmentRecord> Scheduler::fragmentRecords() const {
  std::vector<FragmentRecord> records;
  for (const auto& slot : slots_) {
    const double lived = slot->ended ? slot->lived : secondsSince(slot->started);
    const double computing = std::chrono::duration<double>(slot->computing).count() +
                             (slot->turn ? secondsSince(*slot->turn) : 0);
    records.push_back({slot->host.endpoint().fragment, slot->host.endpoint().replicas.first,
                       slot->host.iterations(), computing,
                       std::max(0.0, lived - computing - slot->host.sending()),
                       slot->host.sending(), slot->ended ? endPosition() : slot->host.reached(),
                       /*lost=*/false});
  }
  return records;
}

std::vector<ScriptRecord> Scheduler::scripts() const {
  std::vector<ScriptRecord> scripts;
  for (const auto& slot : slots_) {
    if (auto script = slot->host.profile().script()) {
      scripts.push_back(std::move(*script));
    }
  }
  return scripts;
}

void Scheduler::obey(const CheckpointOrder& order) {
  constexpr double kNotice = 0.3;  // seconds in which the order should be here
  for (const auto& slot : slots_) {
    FragmentHost& host = slot->host;
    if (slot->ended) {
      continue;
    }
    if (order.kind == CheckpointOrder::Kind::hold) {
      const double rate =
          static_cast<double>(host.iterations()) / std::max(1e-3, secondsSince(slot->started));
      context_.batch.holds.push_back(
          host.hold(order.number, static_cast<int64_t>(rate * kNotice) + 1));
      continue;
    }
    if (order.kind == CheckpointOrder::Kind::over) {
      host.state().over(order.name);
      continue;
    }
    const size_t step = context_.topology.step_of.at(host.endpoint().id);
    if (order.kind == CheckpointOrder::Kind::save && order.points[step].loop >= 0) {
      host.state().saveAt(order.name, order.points[step]);
    } else {
      host.state().release();
    }
  }
}

std::vector<BoundaryRecord> Scheduler::boundaryRecords() const {
  std::map<int, BoundaryRecord> totals;
  for (const auto& slot : slots_) {
    slot->host.addCounters(totals);
  }
  std::vector<BoundaryRecord> records;
  for (const auto& [boundary, record] : totals) {
    records.push_back(record);
  }
  return records;
}

}  // namespace fdg::host
