// The runtime's side of a fragment's ports and loops, and the wait that repeats its tries.
#pragma once

#include <functional>
#include <utility>

#include "fdg/box.h"
#include "fdg/task.h"

namespace fdg::host {

/// The runtime's side of a fragment's ports. Each try returns false when it would have to wait.
class PortBackend {
 public:
  virtual ~PortBackend() = default;
  virtual bool trySend(int boundary, Box& value) = 0;
  virtual bool tryReceive(int boundary, Box& value) = 0;
  /// Sends this replica's term and replaces `value` by the result.
  virtual bool tryExchange(int boundary, Box& value) = 0;
  virtual bool isDrained(int boundary) const = 0;
  virtual void onDrain(int boundary, const ValueOps& type, std::function<void(Box&)> block) = 0;
  /// Runs the drain block on what is there; never waits long.
  virtual bool tryDrain(int boundary) = 0;

  virtual void enterLoop(int loop) = 0;
  virtual void leaveLoop(int loop) = 0;
  /// Sets `go_on` to whether another iteration may start.
  virtual bool tryNext(int loop, bool& go_on) = 0;
  /// Whether the loop's header lets another iteration start. Fragments that only serve others at
  /// their own pace go on past their own bound, until the run ends.
  virtual bool goesOn(int /*loop*/, bool condition) { return condition; }
  virtual void at(int statement) = 0;
};

/// Awaiting it repeats a backend's try until it succeeds.
template <class Try, class Result>
class [[nodiscard]] PortWait final : public Wait {
 public:
  PortWait(Try attempt, Result result) : try_(std::move(attempt)), result_(std::move(result)) {}
  bool poll() override {
    try {
      return try_();
    } catch (...) {
      failure_ =
          std::current_exception();  // thrown where the fragment waits, so that it can unwind
      return true;
    }
  }
  bool await_ready() { return poll(); }
  void await_suspend(std::coroutine_handle<Task::promise_type> handle) {
    handle.promise().waiting = this;
  }
  decltype(auto) await_resume() {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    return result_();
  }

 private:
  Try try_;
  Result result_;
  std::exception_ptr failure_;
};

/// A loop of a fragment, from before its header to behind its end.
class Loop {
 public:
  Loop(PortBackend& backend, int id) : backend_(&backend), id_(id) { backend_->enterLoop(id_); }
  ~Loop() { backend_->leaveLoop(id_); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Around the condition of an outermost loop: `for (…; loop.more(step < cfg.steps); …)`
  bool more(bool condition) { return backend_->goesOn(id_, condition); }
  /// First in the body: `if (!co_await loop.next()) break;`
  auto next() {
    return PortWait([this] { return backend_->tryNext(id_, go_on_); }, [this] { return go_on_; });
  }

 private:
  PortBackend* backend_;
  int id_;
  bool go_on_ = true;
};

}  // namespace fdg::host
