#include "fdg/port_wait.h"

namespace fdg::host {
namespace {

Box boxFor(const PortBackend& backend, PortTry what, int id, const ElementOps& type,
           const void* const* variables) {
  if (what == PortTry::receive) {
    return {*type.value, nullptr};
  }
  if (const auto hindrance = type.hindrance(variables); hindrance != value::Hindrance::none) {
    backend.refuseTensor(id, hindrance);
  }
  return {*type.value, type.join(variables)};
}

}  // namespace

PortWait::PortWait(PortBackend& backend, PortTry what, int id)
    : backend_(&backend), what_(what), id_(id) {}

PortWait::PortWait(PortBackend& backend, PortTry what, int id, const ElementOps& type,
                   const void* const* variables)
    : backend_(&backend),
      what_(what),
      id_(id),
      type_(&type),
      box_(boxFor(backend, what, id, type, variables)) {}

PortWait::PortWait(PortWait&& other) noexcept = default;
PortWait::~PortWait() = default;

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
    case PortTry::finish:
      return backend_->tryFinish(id_);
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

void PortWait::resumeInto(void* const* variables) {
  await_resume();
  FDG_CHECK(box_.hasValue() && &box_.ops() == type_->value, "a box opened as another type");
  type_->part(box_.share().get(), variables);
}

}  // namespace fdg::host
