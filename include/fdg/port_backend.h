// The runtime's side of a fragment's ports and loops.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "fdg/box.h"

namespace fdg::host {

/// A checkpoint of one fragment being written or read.
class StateBackend {
 public:
  virtual ~StateBackend() = default;
  virtual bool saving() const = 0;
  /// The parts of that variable: to fill, or as they were saved. Throws UserError if none were.
  virtual value::Parts& item(const char* name) = 0;
  /// That have their values again, of all variables.
  virtual const std::shared_ptr<std::set<const void*>>& leaves() = 0;
  /// All variables are through.
  virtual void done() = 0;
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

  /// Throws UserError: what crosses there has a tensor that cannot, and why.
  [[noreturn]] virtual void refuseTensor(int boundary, value::Hindrance why) const = 0;

  virtual void enterLoop(int loop) = 0;
  virtual void leaveLoop(int loop) = 0;
  /// Sets `go_on` to whether another iteration may start.
  virtual bool tryNext(int loop, bool& go_on) = 0;
  /// Whether the loop's header lets another iteration start. Fragments that only serve others at
  /// their own pace go on past their own bound, until the run ends.
  virtual bool goesOn(int /*loop*/, bool condition) { return condition; }
  /// Behind an outermost loop with drained boundaries: whether all that was sent has been taken.
  virtual bool tryFinish(int /*loop*/) { return true; }
  virtual void at(int statement) = 0;

  /// At the head of an iteration of an outermost loop: a checkpoint to write or to read, or
  /// nullptr.
  virtual StateBackend* stateAt(int /*loop*/) { return nullptr; }
  /// Whether this iteration of a range-for stands before the one to resume at.
  virtual bool skips(int /*loop*/) { return false; }
};

}  // namespace fdg::host
