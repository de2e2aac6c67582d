#include "runtime/host/StuckWatch.h"

#include <algorithm>
#include <chrono>

#include "base/SignalsHeldBack.h"

namespace fdg::host {
namespace {

constexpr auto kLooksAgain = std::chrono::milliseconds(1);

}  // namespace

StuckWatch::StuckWatch(double seconds, bool holds, Say say)
    : seconds_(seconds), holds_(holds), say_(std::move(say)) {
  const SignalsHeldBack held_back;
  thread_ = std::thread([this] { watch(); });
}

StuckWatch::~StuckWatch() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void StuckWatch::stayHeld() const {
  while (held_.load()) {
    std::this_thread::sleep_for(kLooksAgain);
  }
}

void StuckWatch::watch() {
  const double period = std::clamp(seconds_ / 20, 0.02, 1.0);
  uint64_t seen = 0;
  double unchanged = 0;
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, std::chrono::duration<double>(period), [this] { return over_; })) {
    const uint64_t now = signs_.load();
    unchanged = now == seen && slot_.load() >= 0 ? unchanged + period : 0;
    seen = now;
    // Who is held is looked at once more: a sign that did not see it is here by then.
    if (unchanged >= seconds_ && holds_ && !held_.exchange(true)) {
      continue;
    }
    if (unchanged >= seconds_) {
      lock.unlock();
      say_(slot_.load(), iteration_.load());
      return;
    }
    held_ = false;
  }
}

}  // namespace fdg::host
