// Ports: what a fragment does at its boundaries. Ids are those of the manifest.
//
// The runtime decides what a boundary becomes: a moved value, a message, a collective. A wait that
// can never end because the other side is gone throws Closed.
#pragma once

#include <memory>
#include <tuple>

#include "fdg/port_backend.h"

namespace fdg::host {

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

}  // namespace fdg::host
