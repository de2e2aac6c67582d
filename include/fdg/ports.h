// Ports: what a fragment does at its boundaries. Ids are those of the manifest.
//
// The runtime decides what a boundary becomes: a moved value, a message, a collective. A wait that
// can never end because the other side is gone throws Closed.
#pragma once

#include <tuple>

#include "fdg/archive.h"
#include "fdg/port_wait.h"

namespace fdg::host {

/// What a fragment carries into an iteration, on its way into or out of a checkpoint.
class LoopState {
 public:
  explicit LoopState(StateBackend* backend) : backend_(backend) {}
  explicit operator bool() const { return backend_ != nullptr; }

  template <class T>
  void operator()(const char* name, T& variable) {
    value::Parts& parts = backend_->item(name);
    Archive archive = backend_->saving() ? Archive::saver(parts) : Archive::restorer(parts);
    archive(variable);
    archive.finish();
  }
  void done() { backend_->done(); }

 private:
  StateBackend* backend_;
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
  PortWait next() { return {*backend_, PortTry::next, id_}; }
  /// Behind it, in an outermost loop that boundaries cross.
  LoopState state() { return LoopState(backend_->stateAt(id_)); }
  /// In front of it, in a range-for.
  bool skips() { return backend_->skips(id_); }

 private:
  PortBackend* backend_;
  int id_;
};

/// One fragment's view of its boundaries. Ids are those of the manifest.
class Ports {
 public:
  explicit Ports(PortBackend& backend) : backend_(&backend) {}

  /// Sends the values as they stand. Waits for room.
  template <class... V>
  PortWait send(int boundary, const V&... values) {
    checkHistory(boundary, values...);
    return {*backend_, PortTry::send, boundary, Box::copyOf(values...)};
  }

  /// Waits for the next message and assigns its values.
  template <class... V>
  auto receive(int boundary, V&... values) {
    return assign(PortWait(*backend_, PortTry::receive, boundary, Box::empty<std::tuple<V...>>()),
                  values...);
  }

  /// Joins this replica's values with those of the others and assigns the result (reductions,
  /// all_gather).
  template <class... V>
  auto exchange(int boundary, V&... values) {
    checkHistory(boundary, values...);
    return assign(PortWait(*backend_, PortTry::exchange, boundary, Box::copyOf(values...)),
                  values...);
  }

  /// The owner of a condition tells its outcome and goes on with it.
  template <class T>
  auto tell(int choice, T outcome) {
    return MessageWait(PortWait(*backend_, PortTry::send, choice, Box::copyOf(outcome)),
                       [outcome](Box& /*box*/) { return outcome; });
  }

  /// The outcome of a condition that another fragment owns.
  template <class T>
  auto ask(int choice) {
    return MessageWait(PortWait(*backend_, PortTry::receive, choice, Box::empty<std::tuple<T>>()),
                       [](Box& box) { return std::get<0>(box.get<std::tuple<T>>()); });
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

  PortWait drain(int boundary) { return {*backend_, PortTry::drain, boundary}; }

  Loop loop(int id) { return Loop(*backend_, id); }
  /// The statement that runs next, so that what it logs has its place in the program.
  void at(int statement) { backend_->at(statement); }

 private:
  template <class... V>
  void checkHistory(int boundary, const V&... values) const {
    if ((value::hasHistory(values) || ...)) {
      backend_->refuseHistory(boundary);
    }
  }
  template <class... V>
  static auto assign(PortWait wait, V&... values) {
    return MessageWait(std::move(wait), [target = std::tie(values...)](Box& box) mutable {
      target = std::move(box.get<std::tuple<V...>>());
    });
  }

  PortBackend* backend_;
};

}  // namespace fdg::host
