// What torch::NoGradGuard and its kin set. It belongs to the thread, but a fragment's guards are
// alive while it waits and others run on the same thread, and its drain blocks may run on another.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace fdg::host {

/// Made, it remembers those of this thread.
struct Guards {
  c10::AutogradState autograd = c10::AutogradState::get_tls_state();
  c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();

  void set() const {
    c10::AutogradState::set_tls_state(autograd);
    c10::impl::_force_tls_local_dispatch_key_set(keys);
  }
};

/// While it lives the thread has the guards of one fragment.
class UnderGuards {
 public:
  explicit UnderGuards(Guards& own) : own_(own) { own_.set(); }
  ~UnderGuards() {
    own_ = Guards();
    outer_.set();
  }
  UnderGuards(const UnderGuards&) = delete;
  UnderGuards& operator=(const UnderGuards&) = delete;

 private:
  Guards outer_;  // before own_: remembers what was there
  Guards& own_;
};

}  // namespace fdg::host
