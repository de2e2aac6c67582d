// Loop: what a fragment does at the head of a loop: whether another iteration starts, and what it
// carries into one, for a checkpoint.
#pragma once

#include "fdg/archive.h"
#include "fdg/port_wait.h"

namespace fdg::host {

/// What a fragment carries into an iteration, on its way into or out of a checkpoint.
class LoopState {
 public:
  explicit LoopState(StateBackend* backend) : backend_(backend) {}
  explicit operator bool() const { return backend_ != nullptr; }

  template <class T>
  void operator()(const char* name, T& variable);
  void done() { backend_->done(); }

 private:
  StateBackend* backend_;
};

// Outside of the class: the library has it for its own components, and programs then do not make it
// anew.
template <class T>
void LoopState::operator()(const char* name, T& variable) {
  value::Parts& parts = backend_->item(name);
  Archive archive = backend_->saving() ? Archive::saver(parts)
                                       : Archive::restorer(parts, backend_->leaves());
  archive(variable);
  archive.finish();
}
extern template void LoopState::operator()(const char* name, at::Tensor& variable);
extern template void LoopState::operator()(const char* name, bool& variable);
extern template void LoopState::operator()(const char* name, int64_t& variable);
extern template void LoopState::operator()(const char* name, double& variable);

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
  /// Behind its last iteration, where drained boundaries cross it: waits until nothing is left.
  PortWait finish() { return {*backend_, PortTry::finish, id_}; }
  /// At its head, in an outermost loop that boundaries cross.
  LoopState state() { return LoopState(backend_->stateAt(id_)); }
  /// In front of it, in a range-for.
  bool skips() { return backend_->skips(id_); }

 private:
  PortBackend* backend_;
  int id_;
};

}  // namespace fdg::host
