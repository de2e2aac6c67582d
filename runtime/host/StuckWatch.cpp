#include "runtime/host/StuckWatch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

namespace fdg::host {
namespace {

constexpr uint64_t kHeld = uint64_t{1} << 63;

}  // namespace

StuckWatch::StuckWatch(double seconds, bool holds, Say say)
    : seconds_(seconds), holds_(holds), say_(std::move(say)) {
  sigset_t all;
  sigset_t old_mask;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &old_mask);  // signals belong to the thread that works
  thread_ = std::thread([this] { watch(); });
  ::pthread_sigmask(SIG_SETMASK, &old_mask, nullptr);
}

StuckWatch::~StuckWatch() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void StuckWatch::count() {
  if ((signs_.fetch_add(1) & kHeld) != 0) {
    for (;;) {
      ::pause();
    }
  }
}

void StuckWatch::enter(int slot, int64_t iteration) {
  slot_.store(slot, std::memory_order_relaxed);
  sign(iteration);
}

void StuckWatch::sign(int64_t iteration) {
  iteration_.store(iteration, std::memory_order_relaxed);
  count();
}

void StuckWatch::leave() {
  slot_.store(-1, std::memory_order_relaxed);
  count();
}

void StuckWatch::watch() {
  const double period = std::clamp(seconds_ / 20, 0.02, 1.0);
  uint64_t seen = 0;
  double unchanged = 0;
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, std::chrono::duration<double>(period), [this] { return over_; })) {
    uint64_t now = signs_.load();
    unchanged = now == seen && slot_.load() >= 0 ? unchanged + period : 0;
    seen = now;
    if (unchanged >= seconds_ && (!holds_ || signs_.compare_exchange_strong(now, now | kHeld))) {
      lock.unlock();
      say_(slot_.load(), iteration_.load());
      return;
    }
  }
}

}  // namespace fdg::host
