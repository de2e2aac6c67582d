#include "runtime/host/Profile.h"

#include <ctime>
#include <utility>

namespace fdg::host {
namespace {

constexpr size_t kMostIterations = 8;
constexpr size_t kMostSteps = 1 << 16;  // unless a single iteration has more

int64_t bytesOf(const Box& value) {
  value::Parts parts;
  value.ops().pack(value.data(), parts);
  auto bytes = static_cast<int64_t>(parts.bytes.size());
  for (const at::Tensor& tensor : parts.tensors) {
    bytes += tensor.defined() ? static_cast<int64_t>(tensor.nbytes()) : 0;
  }
  return bytes;
}

}  // namespace

double Profile::now() const {
  timespec time = {};
  if (is_on_) {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void Profile::noteReached(Kind kind, int boundary, const Box* value) {
  attempt_ = now();
  if (is_waiting_) {
    return;
  }
  is_waiting_ = true;
  if (current_) {
    const int64_t bytes = value == nullptr ? 0 : bytesOf(*value);
    current_->steps.push_back({kind, boundary, attempt_ - since_, bytes});
    attempt_ = now();
  }
}

void Profile::drained(int boundary, double seconds) {
  if (!current_) {
    return;
  }
  const StepRecord step{Kind::drain, boundary, seconds, 0};
  if (is_waiting_) {
    current_->steps.insert(current_->steps.end() - 1, step);
  } else {
    current_->steps.push_back(step);
    since_ += seconds;
  }
}

void Profile::beginLoop() {
  current_.reset();
  is_other_loop_ = true;
}

void Profile::beginIteration(int64_t iteration) {
  if (is_on_) {
    endIteration();
    if (std::exchange(is_other_loop_, false)) {  // one without iterations would have nothing to tell
      whole_.clear();
      kept_ = 0;
    }
    current_ = Iteration{iteration, {}};
    is_waiting_ = false;
    since_ = now();
  }
}

void Profile::endIteration() {
  if (!current_) {
    return;
  }
  reach(Kind::end, -1, nullptr);
  is_waiting_ = false;
  kept_ += current_->steps.size();
  whole_.push_back(std::move(*current_));
  current_.reset();
  while (whole_.size() > kMostIterations || (whole_.size() > 1 && kept_ > kMostSteps)) {
    kept_ -= whole_.front().steps.size();
    whole_.pop_front();
  }
}

std::optional<ScriptRecord> Profile::script() const {
  if (whole_.empty()) {
    return std::nullopt;
  }
  ScriptRecord script{
      fragment_.fragment, fragment_.replicas.size(), fragment_.replicas.count, {}, {}};
  for (const Iteration& iteration : whole_) {
    script.iterations.push_back(iteration.number);
    script.steps.insert(script.steps.end(), iteration.steps.begin(), iteration.steps.end());
  }
  return script;
}

}  // namespace fdg::host
