#include "runtime/host/FragmentState.h"

#include <algorithm>

namespace fdg::host {
namespace {

/// The item of what the boundaries remember; no variable has such a name.
constexpr const char* kPorts = "fdg.ports";
constexpr auto kWaitsForWhole = std::chrono::seconds(10);

}  // namespace

FragmentState::FragmentState(const CheckpointSetup* setup, const Manifest& manifest,
                             const Endpoint& endpoint, bool in_step, Batch& batch,
                             std::function<void(Archive&)> ports)
    : setup_(setup),
      manifest_(manifest),
      endpoint_(endpoint),
      in_step_(in_step),
      batch_(batch),
      ports_(std::move(ports)) {
  if (setup_ == nullptr || setup_->resume == nullptr) {
    return;
  }
  for (const checkpoint::SavedFragment& saved : setup_->resume->record.fragments) {
    if (saved.fragment == endpoint.fragment && saved.replicas == endpoint.replicas) {
      resume_ = &saved;
      resumed_at_ = saved.point;
    }
  }
  const auto& all = setup_->resume->record.fragments;
  if (resume_ == nullptr && !all.empty() && !goesRoundSaved()) {
    resumed_at_ = std::ranges::min_element(all, {}, &checkpoint::SavedFragment::point)->point;
  }
}

/// Whether a loop that the checkpoint was made in is the fragment's too: not saved there, it had
/// died, and begins anew. One that is outside of it goes on as those do that are inside.
bool FragmentState::goesRoundSaved() const {
  return std::ranges::any_of(setup_->resume->record.fragments, [&](const auto& saved) {
    const auto loop = std::ranges::find(manifest_.loops, saved.point.loop, &LoopInfo::id);
    return loop != manifest_.loops.end() &&
           std::ranges::count(loop->fragments, endpoint_.fragment) > 0;
  });
}

StateBackend* FragmentState::at(Point head) {
  head_ = head;
  if (isResumeAt(head.loop)) {
    readItems();
    return this;
  }
  if (setup_ == nullptr || !setup_->writes()) {
    return nullptr;
  }
  const bool is_ordered = ordered_ && ordered_->second == head;
  const bool is_nth = isNth(head);
  // At the first head of a loop everything is saved once, for nothing: what cannot be saved says so
  // when the run starts, and not when the first checkpoint is due.
  if (!is_ordered && !is_nth && head.iteration > 0) {
    return nullptr;
  }
  name_ = is_ordered ? ordered_->first
          : is_nth   ? checkpoint::nameOf(head, manifest_)
                     : std::string();
  return this;
}

bool FragmentState::isNth(Point head) const {
  const int64_t every = setup_ == nullptr ? 0 : setup_->every_iterations;
  return in_step_ && every > 0 && head.iteration > 0 && head.iteration % every == 0 &&
         head != resumed_at_ && !setup_->isRepeated(head.loop);
}

bool FragmentState::mayBegin(Point next) const {
  const bool waits = !unfinished_.empty() && isNth(next) &&
                     std::chrono::steady_clock::now() - written_ < kWaitsForWhole;
  return (!limit_ || next <= *limit_) && !waits;
}

void FragmentState::over(const std::string& name) {
  if (unfinished_ == name) {
    unfinished_.clear();
  }
}

bool FragmentState::skips(int loop) {
  return isResumeAt(loop) && skipped_++ < resume_->point.iteration;
}

bool FragmentState::isBefore(const Position& position) const {
  return resumed_at_.loop >= 0 && position < Position{resumed_at_.loop, resumed_at_.iteration};
}

Point FragmentState::hold(Point begun, int64_t slack) {
  limit_ = Point{begun.loop, begun.iteration + slack};
  return {begun.loop, begun.iteration + slack + 1};
}

void FragmentState::saveAt(const std::string& name, Point point) {
  ordered_ = {name, point};
  release();
}

value::Parts& FragmentState::item(const char* name) {
  if (saving()) {
    return items_.emplace_back(name, value::Parts()).second;
  }
  const auto found =
      std::ranges::find_if(items_, [&](const auto& item) { return item.first == name; });
  if (found == items_.end()) {
    throw UserError("the checkpoint " + setup_->resume->folder + " has no variable `" + name +
                    "` in " + resume_->file);
  }
  return found->second;
}

void FragmentState::readItems() {
  const std::string path = setup_->resume->folder + "/" + resume_->file;
  items_ = checkpoint::readStateFile(path).orThrow();
  if (checkpoint::hashOf(items_) != resume_->hash) {
    throw UserError("the checkpoint " + setup_->resume->folder + " is damaged: " + resume_->file +
                    " has other contents than were written");
  }
  restoring_ = true;
}

void FragmentState::archivePorts() {
  value::Parts& parts = item(kPorts);
  Archive archive = saving() ? Archive::saver(parts) : Archive::restorer(parts);
  ports_(archive);
  archive.finish();
}

void FragmentState::done() {
  archivePorts();
  if (saving()) {
    if (!name_.empty()) {
      writeItems();
    }
  } else {
    const Point point = resume_->point;
    resume_ = nullptr;
    restoring_ = false;
    on_restored_(point);
  }
  items_.clear();
}

void FragmentState::writeItems() {
  checkpoint::SavedFragment saved;
  saved.fragment = endpoint_.fragment;
  saved.rank = endpoint_.rank;
  saved.replicas = endpoint_.replicas;
  saved.point = head_;
  saved.file = manifest_.fragments[static_cast<size_t>(endpoint_.fragment)].name + "-" +
               std::to_string(endpoint_.replicas.first) + ".safetensors";
  const std::string folder = checkpoint::openFolder(setup_->folder, name_);
  saved.bytes = checkpoint::writeStateFile(folder + "/" + saved.file, items_);
  saved.hash = checkpoint::hashOf(items_);
  batch_.states.push_back({name_, saved});
  unfinished_ = name_;
  written_ = std::chrono::steady_clock::now();
  ordered_.reset();
}

}  // namespace fdg::host
