// What a fragment waits for at a boundary or a loop's header: a backend's try, repeated until it
// succeeds. Without templates, so that it is compiled once, in the library.
#pragma once

#include <coroutine>
#include <exception>

#include "fdg/port_backend.h"
#include "fdg/task.h"

namespace fdg::host {

enum class PortTry { send, receive, exchange, drain, next };

/// Awaiting it repeats the try. What the try throws comes out where the fragment waits, so that it
/// can unwind.
class [[nodiscard]] PortWait final : public Wait {
 public:
  PortWait(PortBackend& backend, PortTry what, int id, Box box = {});
  bool poll() override;
  bool await_ready() { return poll(); }
  void await_suspend(std::coroutine_handle<Task::promise_type> handle);
  /// For a loop: whether another iteration may start. Otherwise true.
  bool await_resume() const;
  /// The message that was received.
  Box& box() { return box_; }

 private:
  bool tryOnce();

  PortBackend* backend_;
  PortTry what_;
  int id_;
  bool go_on_ = true;
  Box box_;
  std::exception_ptr failure_;
};

/// A wait whose result is made from the message by `take(box)`.
template <class Take>
class [[nodiscard]] MessageWait {
 public:
  MessageWait(PortWait wait, Take take) : wait_(std::move(wait)), take_(std::move(take)) {}
  bool await_ready() { return wait_.poll(); }
  void await_suspend(std::coroutine_handle<Task::promise_type> handle) {
    wait_.await_suspend(handle);
  }
  decltype(auto) await_resume() {
    wait_.await_resume();
    return take_(wait_.box());
  }

 private:
  PortWait wait_;
  Take take_;
};

}  // namespace fdg::host
