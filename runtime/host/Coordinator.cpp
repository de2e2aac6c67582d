#include "runtime/host/Coordinator.h"

#include <algorithm>
#include <array>

#include "core/WholeFile.h"
#include "runtime/host/Pace.h"
#include "runtime/host/Trace.h"

namespace fdg::host {

Coordinator::Coordinator(const Manifest& manifest, const place::Placement& placement,
                         report::Report* report, bool keeps_trace, std::string folder)
    : manifest_(manifest),
      placement_(placement),
      report_(report),
      keeps_trace_(keeps_trace),
      ordered_(isOrdered(placement)),
      done_(static_cast<size_t>(placement.ranks)),
      lost_(static_cast<size_t>(placement.ranks)),
      folder_(std::move(folder)) {}

void Coordinator::keepCheckpoints(const CheckpointSetup& setup, const Topology& topology,
                                  std::function<void(const CheckpointOrder&)> post) {
  if (setup.writes()) {
    checkpoints_ = std::make_unique<CheckpointBook>(
        setup, manifest_, placement_, topology, std::move(post),
        [this](const auto& points) { return logBefore(points); });
  }
}

void Coordinator::accept(Batch batch) {
  const bool is_lost = lost_[static_cast<size_t>(batch.rank)];  // and this was under way
  done_[static_cast<size_t>(batch.rank)] = batch.last || is_lost;
  for (const FragmentRecord& record : batch.fragments) {
    fragments_[{record.fragment, record.replica}] = record;
  }
  if (is_lost) {
    endFragmentsOf(batch.rank);
  }
  for (const BoundaryRecord& record : batch.boundaries) {
    boundaries_[{batch.rank, record.boundary}] = record;
  }
  for (const SaveRecord& save : batch.saves) {
    takeSave(save);
  }
  waiting_logs_.insert(waiting_logs_.end(), batch.logs.begin(), batch.logs.end());
  emitPoints(false);
  emitSpans(batch);
  scripts_.insert(scripts_.end(), batch.scripts.begin(), batch.scripts.end());
  if (checkpoints_) {
    checkpoints_->accept(batch);
  }
  if (keeps_trace_) {
    trace_.push_back(std::move(batch));
  }
}

void Coordinator::endFragmentsOf(int rank) {
  for (const place::Instance& instance : placement_.instances) {
    for (const int fragment : instance.fragments) {
      if (instance.rank == rank) {
        FragmentRecord& record = fragments_[{fragment, instance.replicas.first}];
        record.fragment = fragment;
        record.replica = instance.replicas.first;
        record.reached = endPosition();
        record.lost = true;
      }
    }
  }
}

void Coordinator::lose(int rank, const std::string& sentence) {
  lost_[static_cast<size_t>(rank)] = true;
  done_[static_cast<size_t>(rank)] = true;
  endFragmentsOf(rank);
  if (checkpoints_) {
    checkpoints_->lose(rank);
  }
  if (report_ != nullptr) {
    losses_.push_back(report_->tellLoss(sentence, seconds()));
  }
}

double Coordinator::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

/// All replicas save the same; one of them sends it. Where several fragments save one name, the
/// last in the program stays.
void Coordinator::takeSave(const SaveRecord& save) {
  const std::tuple key(save.fragment, save.name, save.execution);
  Saved& saved = saves_.try_emplace(key, Saved{save.hash}).first->second;
  if (saved.hash != save.hash) {
    disagreement_ =
        "run.save(\"" + save.name +
        "\") would save different tensors on different replicas; a reduction is missing before "
        "it (reduce_mean for gradients)";
  }
  if (++saved.replicas ==
      std::ranges::count_if(placement_.instances, [&](const place::Instance& instance) {
        return std::ranges::count(instance.fragments, save.fragment) > 0;
      })) {
    saves_.erase(key);
  }
  const std::string path = folder_ + "/" + save.name + ".safetensors";
  if (!save.file.empty() && !(save.position < files_[path])) {
    const std::string_view bytes = save.file;
    writeWholeFile(path, {&bytes, 1});
    files_[path] = save.position;
  }
}

/// Where every fragment has gone past; nothing while one has not reported: it may log anything.
std::optional<Position> Coordinator::passed() const {
  size_t endpoints = 0;
  for (const place::Instance& instance : placement_.instances) {
    endpoints += instance.fragments.size();
  }
  if (fragments_.size() < endpoints) {
    return std::nullopt;
  }
  Position passed = endPosition();
  for (const auto& [key, record] : fragments_) {
    passed = std::min(passed, record.reached);
  }
  return passed;
}

/// What of the log stands before the points. Where fragments run at their own pace: all.
std::optional<Written> Coordinator::logBefore(const std::vector<checkpoint::Point>& points) {
  if (!ordered_) {
    recent_.clear();
    return report_->syncLog();
  }
  const checkpoint::Point latest = *std::ranges::max_element(points);
  const Position head = {latest.loop, latest.iteration};
  const std::optional<Position> behind = passed();
  if (!behind || *behind < head) {
    return std::nullopt;
  }
  emitPoints(false);
  std::erase_if(recent_, [&](const Logged& logged) { return logged.position < head; });
  const Written all = report_->syncLog();
  return recent_.empty() ? all : recent_.front().before;
}

void Coordinator::emitPoints(bool all) {
  if (report_ == nullptr || waiting_logs_.empty()) {
    return;
  }
  std::vector<LogRecord> ready;
  if (all || !ordered_) {
    ready.swap(waiting_logs_);
  } else {
    const std::optional<Position> behind = passed();
    if (!behind) {
      return;
    }
    const auto split =
        std::stable_partition(waiting_logs_.begin(), waiting_logs_.end(),
                              [&](const LogRecord& log) { return !(log.position < *behind); });
    ready.assign(split, waiting_logs_.end());
    waiting_logs_.erase(split, waiting_logs_.end());
  }
  for (const LogPoint& point : mergeLogs(std::move(ready))) {
    if (checkpoints_) {
      recent_.push_back({point.position, report_->logged()});
    }
    report_->point({point.key, point.value, point.iteration, point.position});
  }
}

void Coordinator::emitSpans(const Batch& batch) {
  static constexpr std::array<const char*, 4> kWhat = {"compute", "drain ", "wait for ", "send "};
  if (report_ == nullptr) {
    return;
  }
  for (const SpanRecord& span : batch.spans) {
    const std::string boundary =
        span.boundary < 0 ? "" : manifest_.boundaries[static_cast<size_t>(span.boundary)].name;
    report_->span({batch.rank,
                   manifest_.fragments[static_cast<size_t>(span.fragment)].name + " " +
                       std::to_string(span.replica),
                   kWhat[static_cast<size_t>(span.kind)] + boundary, span.begin, span.end,
                   span.iteration});
  }
}

report::Status Coordinator::status() const {
  report::Status status;
  status.seconds = seconds();
  std::map<int, report::FragmentUse> uses;
  for (const auto& [key, record] : fragments_) {
    const FragmentInfo& fragment = manifest_.fragments[static_cast<size_t>(record.fragment)];
    auto [it, is_new] = uses.try_emplace(record.fragment);
    report::FragmentUse& use = it->second;
    use.name = fragment.name;
    use.replicas = is_new ? 1 : use.replicas + 1;
    use.lost += record.lost ? 1 : 0;
    use.iterations = std::max(use.iterations, record.iterations);
    use.computing += record.computing;
    use.waiting += record.waiting;
    use.sending += record.sending;
  }
  for (auto& [fragment, use] : uses) {
    const bool in_stop_group =
        placement_.stop_group < 0 ||
        std::ranges::any_of(placement_.instances,
                            [&, f = fragment](const place::Instance& instance) {
                              return instance.group == placement_.stop_group &&
                                     std::ranges::count(instance.fragments, f) > 0;
                            });
    if (in_stop_group) {
      status.iterations = std::max(status.iterations, use.iterations);
    }
    status.fragments.push_back(use);
  }
  return status;
}

void Coordinator::tick() {
  const auto now = std::chrono::steady_clock::now();
  if (checkpoints_) {
    checkpoints_->tick(status().iterations);
  }
  if (report_ != nullptr && now - last_status_ > std::chrono::milliseconds(200)) {
    last_status_ = now;
    report_->status(status());
  }
}

bool Coordinator::allDone() const {
  return std::ranges::all_of(done_, [](bool done) { return done; });
}

std::string Coordinator::notDone() const {
  std::string text;
  for (size_t rank = 0; rank < done_.size(); ++rank) {
    text += done_[rank] ? ""
                        : (text.empty() ? std::string(unitOf(placement_)) + " " : ", ") +
                              std::to_string(rank);
  }
  return text;
}

void Coordinator::finish(const std::string& outcome) {
  if (report_ == nullptr) {
    return;
  }
  emitPoints(true);
  report::Closing closing;
  closing.status = status();
  for (const auto& [path, position] : files_) {
    closing.saved.push_back(path);
  }
  closing.outcome = outcome;
  closing.losses = losses_;
  if (checkpoints_ && checkpoints_->hasMadeAny()) {
    closing.saved.push_back(checkpoints_->last());
  } else if (checkpoints_) {
    closing.losses.push_back("no checkpoint was made: the run ended before it was time (--every)");
  }
  for (const BoundaryInfo& boundary : manifest_.boundaries) {
    report::BoundaryUse use;
    use.name = boundary.name;
    for (const auto& [key, record] : boundaries_) {
      if (record.boundary == boundary.id) {
        use.executions += record.executions;
        use.messages += record.messages;
        use.bytes += record.bytes;
        use.longest_queue = std::max(use.longest_queue, record.longest_queue);
        use.waited += record.waited;
      }
    }
    closing.boundaries.push_back(use);
  }
  report_->finish(closing);
}

void Coordinator::flush() {
  emitPoints(true);
  if (report_ != nullptr) {
    report_->flush();
  }
}

}  // namespace fdg::host
