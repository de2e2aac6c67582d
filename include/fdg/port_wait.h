// What a fragment waits for at a boundary or a loop's header: a backend's try, repeated until it
// succeeds. Without templates, so that it is compiled once, in the library.
#pragma once

#include <coroutine>
#include <exception>

#include "fdg/elements.h"
#include "fdg/port_backend.h"
#include "fdg/task.h"

namespace fdg::host {

enum class PortTry { send, receive, exchange, drain, next, finish };

/// Awaiting it repeats the try. What the try throws comes out where the fragment waits, so that it
/// can unwind.
class [[nodiscard]] PortWait final : public Wait {
 public:
  /// Of a loop, or a drain block.
  PortWait(PortBackend& backend, PortTry what, int id);
  /// With copies of the variables, unless it receives. Throws UserError if those have a gradient
  /// history.
  PortWait(PortBackend& backend, PortTry what, int id, const ElementOps& type,
           const void* const* variables);
  PortWait(PortWait&& other) noexcept;
  ~PortWait() override;
  bool poll() override;
  bool await_ready() { return poll(); }
  void await_suspend(std::coroutine_handle<Task::promise_type> handle);
  /// For a loop: whether another iteration may start. Otherwise true.
  bool await_resume() const;
  /// The same, and the message moves into the variables.
  void resumeInto(void* const* variables);

 private:
  bool tryOnce();

  PortBackend* backend_;
  PortTry what_;
  int id_;
  bool go_on_ = true;
  const ElementOps* type_ = nullptr;
  Box box_;
  std::exception_ptr failure_;
};

/// A wait whose message moves into N variables of the fragment.
template <size_t N>
class [[nodiscard]] AssignWait {
 public:
  bool await_ready() { return wait.poll(); }
  void await_suspend(std::coroutine_handle<Task::promise_type> handle) {
    wait.await_suspend(handle);
  }
  void await_resume() { wait.resumeInto(variables); }

  PortWait wait;
  void* variables[N];
};

/// A wait that gives the value it received.
template <class T>
class [[nodiscard]] AskWait {
 public:
  bool await_ready() { return wait.poll(); }
  void await_suspend(std::coroutine_handle<Task::promise_type> handle) {
    wait.await_suspend(handle);
  }
  T await_resume() {
    T value{};
    void* const variables[] = {&value};
    wait.resumeInto(variables);
    return value;
  }

  PortWait wait;
};

/// A wait until the outcome is sent, which it gives.
template <class T>
class [[nodiscard]] TellWait {
 public:
  bool await_ready() { return wait.poll(); }
  void await_suspend(std::coroutine_handle<Task::promise_type> handle) {
    wait.await_suspend(handle);
  }
  T await_resume() {
    wait.await_resume();
    return outcome;
  }

  PortWait wait;
  T outcome;
};

}  // namespace fdg::host
