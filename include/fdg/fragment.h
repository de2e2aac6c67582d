// What generated code calls: the interface between a compiled fragment and the runtime that hosts
// it. Users never include it; `fdgc --emit=cpp` shows it at work.
//
// A fragment is a coroutine. At a boundary it awaits a port; the runtime decides what that becomes
// (a moved value, a message, a collective). A wait that can never end because the other side is
// gone throws Closed, which generated code catches around each outermost loop.
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <tuple>

#include "fdg/box.h"
#include "fdg/program.h"
#include "fdg/run.h"

namespace fdg::host {

/// Thrown into a fragment that waits on, or sends to, a boundary whose other side has ended.
struct Closed {};

/// How many iterations a range-for makes over it.
template <class R>
int64_t lengthOf(const R& range) {
  return static_cast<int64_t>(std::distance(std::begin(range), std::end(range)));
}

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

/// One fragment's view of its boundaries. Ids are those of the manifest.
class Ports {
 public:
  explicit Ports(PortBackend& backend) : backend_(&backend) {}

  /// Sends the values as they stand. Waits for room.
  template <class... V>
  auto send(int boundary, const V&... values) {
    return PortWait(
        [this, boundary, box = Box::of(std::tuple<V...>(values...))]() mutable {
          return backend_->trySend(boundary, box);
        },
        [] {});
  }

  /// Waits for the next message and assigns its values.
  template <class... V>
  auto receive(int boundary, V&... values) {
    return PortWait(
        [this, boundary, box = Box::empty<std::tuple<V...>>(),
         target = std::tie(values...)]() mutable {
          if (!backend_->tryReceive(boundary, box)) {
            return false;
          }
          target = std::move(box.template get<std::tuple<V...>>());
          return true;
        },
        [] {});
  }

  /// Joins this replica's values with those of the others and assigns the result (reductions,
  /// all_gather).
  template <class... V>
  auto exchange(int boundary, V&... values) {
    return PortWait(
        [this, boundary, box = Box::of(std::tuple<V...>(values...)),
         target = std::tie(values...)]() mutable {
          if (!backend_->tryExchange(boundary, box)) {
            return false;
          }
          target = std::move(box.template get<std::tuple<V...>>());
          return true;
        },
        [] {});
  }

  /// The owner of a condition tells its outcome and goes on with it.
  template <class T>
  auto tell(int choice, T outcome) {
    return PortWait(
        [this, choice, box = Box::of(std::tuple<T>(outcome))]() mutable {
          return backend_->trySend(choice, box);
        },
        [outcome] { return outcome; });
  }

  /// The outcome of a condition that another fragment owns.
  template <class T>
  auto ask(int choice) {
    auto outcome = std::make_shared<T>();
    return PortWait(
        [this, choice, box = Box::empty<std::tuple<T>>(), outcome]() mutable {
          if (!backend_->tryReceive(choice, box)) {
            return false;
          }
          *outcome = std::get<0>(box.template get<std::tuple<T>>());
          return true;
        },
        [outcome] { return *outcome; });
  }

  bool drained(int boundary) const { return backend_->isDrained(boundary); }

  /// Registers the drain block of a boundary: `ports.onDrain<Experience>(4, [&](Experience& e) { …
  /// });`
  template <class... V, class F>
  void onDrain(int boundary, F block) {
    using Values = std::tuple<V...>;
    backend_->onDrain(boundary, opsOf<Values>(), [block = std::move(block)](Box& box) mutable {
      std::apply(block, box.template get<Values>());
    });
  }

  auto drain(int boundary) {
    return PortWait([this, boundary] { return backend_->tryDrain(boundary); }, [] {});
  }

  Loop loop(int id) { return Loop(*backend_, id); }
  /// The statement that runs next, so that what it logs has its place in the program.
  void at(int statement) { backend_->at(statement); }

 private:
  PortBackend* backend_;
};

/// What the instrumented sequential function tells: the oracle of --verify.
class Tape {
 public:
  virtual ~Tape() = default;
  template <class... V>
  void cross(int boundary, const V&... values) {
    Box box = Box::of(std::tuple<V...>(values...));
    crossed(boundary, box);
  }
  /// Around a condition whose outcome another fragment asks for.
  template <class T>
  T told(int choice, T outcome) {
    cross(choice, outcome);
    return outcome;
  }
  /// Around the range of a range-for whose length another fragment asks for.
  template <class R>
  R& toldLength(int choice, R& range) {
    cross(choice, lengthOf(range));
    return range;
  }
  class LoopScope {
   public:
    LoopScope(Tape& tape, int id) : tape_(&tape), id_(id) { tape_->enterLoop(id_); }
    ~LoopScope() { tape_->leaveLoop(id_); }
    LoopScope(const LoopScope&) = delete;
    LoopScope& operator=(const LoopScope&) = delete;
    /// First in the body: `if (!loop.next()) break;`
    bool next() { return tape_->next(id_); }

   private:
    Tape* tape_;
    int id_;
  };
  LoopScope loop(int id) { return LoopScope(*this, id); }
  virtual void at(int statement) = 0;

 protected:
  virtual void crossed(int boundary, Box& values) = 0;
  virtual void enterLoop(int loop) = 0;
  virtual void leaveLoop(int loop) = 0;
  virtual bool next(int loop) = 0;
};

struct FragmentCode {
  int id;
  Task (*start)(Run& run, const void* config, Ports& ports);
};

/// What a plan exports as `extern "C" const fdg::host::PlanCode* fdgPlanCode()`.
struct PlanCode {
  int interface_version;
  void* (*make_config)();
  void (*free_config)(void* config);
  void (*visit_config)(void* config, ConfigVisitor& visitor);
  std::span<const FragmentCode> fragments;
  void (*sequential)(Run& run, const void* config, Tape& tape);
};

}  // namespace fdg::host
