// What a rank's fragments do → a word from a thread beside theirs once one has computed for too long
// without a sign of life: the thread that computes cannot say so itself.
//
// Signs of life cost an addition; they come from the rank's own thread. Time in which the process is
// stopped counts as none.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace fdg::host {

class StuckWatch {
 public:
  using Say = std::function<void(int slot, int64_t iteration)>;

  /// `say` is called at most once, on the watch's thread. `holds`: the rank's thread does not come
  /// back from its next sign of life then, so that `say` may end the run.
  StuckWatch(double seconds, bool holds, Say say);
  ~StuckWatch();
  StuckWatch(const StuckWatch&) = delete;
  StuckWatch& operator=(const StuckWatch&) = delete;

  void enter(int slot, int64_t iteration) {
    slot_.store(slot, std::memory_order_relaxed);
    sign(iteration);
  }
  void sign(int64_t iteration) {
    iteration_.store(iteration, std::memory_order_relaxed);
    count();
  }
  void leave() {
    slot_.store(-1, std::memory_order_relaxed);
    count();
  }

 private:
  void watch();
  /// No locked addition: that would be a tenth of what a boundary costs.
  void count() {
    signs_.store(signs_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    if (held_.load(std::memory_order_acquire)) {
      stayHeld();
    }
  }
  void stayHeld() const;

  double seconds_;
  bool holds_;
  Say say_;
  std::atomic<uint64_t> signs_ = 0;  // written by the rank's thread alone
  std::atomic<bool> held_ = false;
  std::atomic<int> slot_ = -1;
  std::atomic<int64_t> iteration_ = 0;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace fdg::host
