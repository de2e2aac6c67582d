#include "fdg/port_wait.h"

namespace fdg::host {

PortWait::PortWait(PortBackend& backend, PortTry what, int id, Box box)
    : backend_(&backend), what_(what), id_(id), box_(std::move(box)) {}

bool PortWait::tryOnce() {
  switch (what_) {
    case PortTry::send:
      return backend_->trySend(id_, box_);
    case PortTry::receive:
      return backend_->tryReceive(id_, box_);
    case PortTry::exchange:
      return backend_->tryExchange(id_, box_);
    case PortTry::drain:
      return backend_->tryDrain(id_);
    case PortTry::next:
      return backend_->tryNext(id_, go_on_);
  }
  return true;
}

bool PortWait::poll() {
  try {
    return tryOnce();
  } catch (...) {
    failure_ = std::current_exception();
    return true;
  }
}

void PortWait::await_suspend(std::coroutine_handle<Task::promise_type> handle) {
  handle.promise().waiting = this;
}

bool PortWait::await_resume() const {
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  return go_on_;
}

}  // namespace fdg::host
