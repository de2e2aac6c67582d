#include "runtime/host/Profile.h"

namespace fdg::host {
namespace {

using Clock = std::chrono::steady_clock;

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

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

void Profile::reach(Kind kind, int boundary, const Box* value) {
  if (!is_on_ || is_waiting_) {
    return;
  }
  is_waiting_ = true;
  if (now_) {
    const double computing = secondsSince(since_);
    now_->steps.push_back({kind, boundary, computing, value == nullptr ? 0 : bytesOf(*value)});
  }
}

void Profile::pass() {
  if (is_waiting_) {
    is_waiting_ = false;
    since_ = Clock::now();
  }
}

void Profile::drained(int boundary, double seconds) {
  if (!now_) {
    return;
  }
  const StepRecord step{Kind::drain, boundary, seconds, 0};
  if (is_waiting_) {
    now_->steps.insert(now_->steps.end() - 1, step);
  } else {
    now_->steps.push_back(step);
    since_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
}

void Profile::beginLoop() {
  now_.reset();
  whole_.clear();
  kept_ = 0;
}

void Profile::beginIteration(int64_t iteration) {
  if (is_on_) {
    endIteration();
    now_ = Iteration{iteration, {}};
    is_waiting_ = false;
    since_ = Clock::now();
  }
}

void Profile::endIteration() {
  if (!now_) {
    return;
  }
  reach(Kind::end, -1, nullptr);
  is_waiting_ = false;
  kept_ += now_->steps.size();
  whole_.push_back(std::move(*now_));
  now_.reset();
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
