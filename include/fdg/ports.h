// Ports: what a fragment does at its boundaries. Ids are those of the manifest.
//
// The runtime decides what a boundary becomes: a moved value, a message, a collective. A wait that
// can never end because the other side is gone throws Closed.
#pragma once

#include "fdg/loop.h"

namespace fdg::host {

/// What one message of a drained boundary does.
class DrainBlock {
 public:
  virtual ~DrainBlock() = default;
  virtual void run(const ElementOps& type, void* message) = 0;
};
template <class F, class... V>
class DrainOf final : public DrainBlock {
 public:
  explicit DrainOf(const F& block) : block_(block) {}
  void run(const ElementOps& type, void* message) override {
    void* elements[sizeof...(V)];
    type.point(message, elements);
    give(elements, std::index_sequence_for<V...>());
  }

 private:
  template <size_t... I>
  void give(void* const* elements, std::index_sequence<I...> /*indices*/) {
    block_(*static_cast<V*>(elements[I])...);
  }

  F block_;
};

/// One fragment's view of its boundaries. Ids are those of the manifest.
class Ports {
 public:
  explicit Ports(PortBackend& backend) : backend_(&backend) {}

  /// Sends the values as they stand. Waits for room.
  template <class... V>
  PortWait send(int boundary, const V&... values) {
    const void* const variables[] = {&values...};
    return {*backend_, PortTry::send, boundary, elementsOf<V...>(), variables};
  }

  /// Waits for the next message and assigns its values.
  template <class... V>
  AssignWait<sizeof...(V)> receive(int boundary, V&... values) {
    return {{*backend_, PortTry::receive, boundary, elementsOf<V...>(), nullptr}, {&values...}};
  }

  /// Joins this replica's values with those of the others and assigns the result (reductions,
  /// all_gather).
  template <class... V>
  AssignWait<sizeof...(V)> exchange(int boundary, V&... values) {
    const void* const variables[] = {&values...};
    return {{*backend_, PortTry::exchange, boundary, elementsOf<V...>(), variables}, {&values...}};
  }

  /// The owner of a condition tells its outcome and goes on with it.
  template <class T>
  TellWait<T> tell(int choice, T outcome) {
    const void* const variables[] = {&outcome};
    return {{*backend_, PortTry::send, choice, elementsOf<T>(), variables}, outcome};
  }

  /// The outcome of a condition that another fragment owns.
  template <class T>
  AskWait<T> ask(int choice) {
    return {{*backend_, PortTry::receive, choice, elementsOf<T>(), nullptr}};
  }

  bool drained(int boundary) const { return backend_->isDrained(boundary); }

  /// Registers the drain block of a boundary: `ports.onDrain<Experience>(4, [&](Experience& e) { …
  /// });`
  template <class... V, class F>
  void onDrain(int boundary, const F& block) {
    registerDrain(boundary, elementsOf<V...>(),
                  std::unique_ptr<DrainBlock>(new DrainOf<F, V...>(block)));
  }

  PortWait drain(int boundary) { return {*backend_, PortTry::drain, boundary}; }

  Loop loop(int id) { return Loop(*backend_, id); }
  /// The statement that runs next, so that what it logs has its place in the program.
  void at(int statement) { backend_->at(statement); }

 private:
  void registerDrain(int boundary, const ElementOps& type, std::unique_ptr<DrainBlock> block);

  PortBackend* backend_;
};

}  // namespace fdg::host
