// Task: a fragment as a coroutine, and the waits at which it stops.
//
// A wait is polled by whoever runs the task; nothing here blocks. What a wait throws (Closed, an
// error) comes out where the fragment awaits it, so that the fragment can unwind. One thread at a
// time.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace fdg::host {

/// Thrown into a fragment that waits on, or sends to, a boundary whose other side has ended.
struct Closed {};

/// One attempt of a wait: true when it is over. May throw Closed or UserError.
class Wait {
 public:
  virtual ~Wait() = default;
  virtual bool poll() = 0;
};

/// A fragment's coroutine. Movable; destroys the coroutine with everything it holds.
class Task {
 public:
  struct promise_type {
    Wait* waiting = nullptr;
    std::exception_ptr failure;
    int64_t advances = 0;

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  Task() = default;
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) {
      handle_.destroy();
    }
  }

  bool done() const { return !handle_ || handle_.done(); }
  /// Runs until the next wait that is not over at once, or to the end; false if its wait is not
  /// over yet. What the fragment throws comes out here.
  bool resume();
  /// How often it went on; unchanged by a resume that found its wait not over.
  int64_t advances() const { return handle_ ? handle_.promise().advances : 0; }

 private:
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace fdg::host
