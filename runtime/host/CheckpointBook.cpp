#include "runtime/host/CheckpointBook.h"

#include <algorithm>
#include <random>

#include "runtime/host/Pace.h"

namespace fdg::host {
namespace {

uint64_t newRunId() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

}  // namespace

CheckpointBook::CheckpointBook(
    const CheckpointSetup& setup, const Manifest& manifest, const place::Placement& placement,
    const Topology& topology, std::function<void(const CheckpointOrder&)> post,
    std::function<std::optional<Written>(const std::vector<Point>&)> log_before)
    : setup_(setup),
      manifest_(manifest),
      placement_(placement),
      topology_(topology),
      in_step_(inStep(manifest, placement, topology)),
      post_(std::move(post)),
      log_before_(std::move(log_before)),
      run_id_(setup.resume == nullptr ? newRunId() : setup.resume->record.run_id),
      last_(setup.resume == nullptr ? "" : setup.resume->folder) {
  removeUnfinished();
  if (setup.resume != nullptr) {  // from an older one, perhaps
    number_ = std::max(setup.resume->record.number, checkpoint::highestNumber(setup.folder));
  }
}

const Endpoint& CheckpointBook::endpointOf(int fragment, int64_t replica) const {
  const auto found = std::ranges::find_if(topology_.endpoints, [&](const Endpoint& e) {
    return e.fragment == fragment && e.replicas.first == replica;
  });
  FDG_CHECK(found != topology_.endpoints.end(), "a state of a fragment that is not placed");
  return *found;
}

void CheckpointBook::accept(const Batch& batch) {
  for (const FragmentRecord& record : batch.fragments) {
    if (record.reached == endPosition()) {
      ended_.insert(endpointOf(record.fragment, record.replica).id);
    }
  }
  for (const HoldRecord& hold : batch.holds) {
    if (asking_ && hold.asked == asked_) {
      answers_[endpointOf(hold.fragment, hold.replica).id] = hold;
    }
  }
  for (const StateRecord& state : batch.states) {
    Pending& pending = pending_[state.checkpoint];
    if (pending.points.empty()) {  // of fragments in step, which nobody ordered
      pending.points.assign(topology_.steps, state.saved.point);
    }
    const Endpoint& endpoint = endpointOf(state.saved.fragment, state.saved.replicas.first);
    pending.saved[endpoint.id] = state.saved;
  }
}

void CheckpointBook::lose(int rank) {
  for (const Endpoint& endpoint : topology_.endpoints) {
    if (endpoint.rank == rank) {
      lost_.insert(endpoint.id);
    }
  }
}

bool CheckpointBook::isDue(int64_t iterations) const {
  if (requested_) {
    return true;
  }
  if (setup_.every_iterations > 0) {
    return !in_step_ && iterations - last_iterations_ >= setup_.every_iterations;
  }
  return std::chrono::steady_clock::now() - last_time_ >
         std::chrono::duration<double>(setup_.every_seconds);
}

void CheckpointBook::tick(int64_t iterations) {
  if (asking_) {
    order();
  } else if (pending_.empty() && isDue(iterations)) {
    last_iterations_ = iterations;
    last_time_ = std::chrono::steady_clock::now();
    ask();
  }
  closeWhole();
}

void CheckpointBook::ask() {
  asking_ = true;
  answers_.clear();
  CheckpointOrder order;
  order.kind = CheckpointOrder::Kind::hold;
  order.number = ++asked_;
  post_(order);
}

/// Whether the fragment takes part in checkpoints of that loop.
bool CheckpointBook::goesRound(const Endpoint& endpoint, int loop) const {
  if (lost_.contains(endpoint.id)) {
    return false;
  }
  const auto info = std::ranges::find(manifest_.loops, loop, &LoopInfo::id);
  return info != manifest_.loops.end() &&
         std::ranges::count(info->fragments, endpoint.fragment) > 0;
}

/// All have answered: every class saves at the latest of its answers.
void CheckpointBook::order() {
  std::vector<Point> points(topology_.steps);
  bool possible = true;
  for (const Endpoint& endpoint : topology_.endpoints) {
    const auto answer = answers_.find(endpoint.id);
    if (answer == answers_.end() && !ended_.contains(endpoint.id) && !lost_.contains(endpoint.id)) {
      return;
    }
    if (answer != answers_.end() && !answer->second.ended) {
      points[stepOf(endpoint)] = std::max(points[stepOf(endpoint)], answer->second.first);
    }
  }
  for (const Endpoint& endpoint : topology_.endpoints) {
    const auto answer = answers_.find(endpoint.id);
    const bool has_ended = answer == answers_.end() || answer->second.ended;
    possible = possible && !(has_ended && goesRound(endpoint, points[stepOf(endpoint)].loop));
  }
  asking_ = false;
  possible = possible && !setup_.isRepeated(std::ranges::max_element(points)->loop);
  const Point named = namedPoint(points);
  CheckpointOrder order;
  if (possible && named.loop >= 0) {
    order.kind = CheckpointOrder::Kind::save;
    order.name = checkpoint::nameOf(named, manifest_);
    order.points = points;
    pending_[order.name].points = points;
  } else {
    order.kind = CheckpointOrder::Kind::release;
    requested_ = false;
  }
  post_(order);
}

/// The stop group's: that is the iteration which the run shows.
Point CheckpointBook::namedPoint(const std::vector<Point>& points) const {
  for (const Endpoint& endpoint : topology_.endpoints) {
    const place::Instance& instance =
        placement_.instances[static_cast<size_t>(endpoint.instance)];
    if (instance.group == placement_.stop_group && points[stepOf(endpoint)].loop >= 0) {
      return points[stepOf(endpoint)];
    }
  }
  return *std::ranges::max_element(points);
}

bool CheckpointBook::isWhole(const Pending& pending) const {
  return std::ranges::all_of(topology_.endpoints, [&](const Endpoint& endpoint) {
    return pending.saved.contains(endpoint.id) ||
           !goesRound(endpoint, pending.points[stepOf(endpoint)].loop);
  });
}

/// A fragment has ended before its turn.
bool CheckpointBook::isLost(const Pending& pending) const {
  return std::ranges::any_of(topology_.endpoints, [&](const Endpoint& endpoint) {
    return ended_.contains(endpoint.id) && !pending.saved.contains(endpoint.id) &&
           goesRound(endpoint, pending.points[stepOf(endpoint)].loop);
  });
}

void CheckpointBook::closeWhole() {
  for (auto it = pending_.begin(); it != pending_.end();) {
    const Pending& pending = it->second;
    const std::optional<Written> log =
        isWhole(pending) ? log_before_(pending.points) : std::nullopt;
    if (!log && !isLost(pending)) {
      ++it;
      continue;
    }
    if (log) {
      close(it->first, pending, *log);
      made_ = made_ || requested_;
    } else {
      checkpoint::dropFolder(setup_.folder, it->first);
    }
    requested_ = false;
    CheckpointOrder order;
    order.kind = CheckpointOrder::Kind::over;
    order.name = it->first;
    it = pending_.erase(it);
    post_(order);
  }
}

void CheckpointBook::close(const std::string& name, const Pending& pending,
                           const Written& log) {
  checkpoint::Record record;
  record.run_id = run_id_;
  record.number = ++number_;
  record.program = manifest_.program;
  record.manifest_hash = setup_.manifest_hash;
  record.log = log;
  record.run = setup_.run;
  for (const FragmentInfo& fragment : manifest_.fragments) {
    record.fragment_names.push_back(fragment.name);
  }
  for (const auto& [endpoint, saved] : pending.saved) {
    record.fragments.push_back(saved);
  }
  last_ = checkpoint::closeFolder(setup_.folder, name, record);
  any_ = true;
}

}  // namespace fdg::host
