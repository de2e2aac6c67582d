// What torch::NoGradGuard and its kin set. It belongs to the thread, but a fragment's guards are
// alive while it waits and others run on the same thread, and its drain blocks may run on another.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <tuple>

namespace fdg::host {

/// Made, it remembers those of this thread.
struct Guards {
  c10::AutogradState autograd = c10::AutogradState::get_tls_state();
  c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();

  /// Where `present` is what the thread has; mostly it is the same.
  void replace(const Guards& present) const {
    const auto modes = [](const c10::AutogradState& state) {
      return std::tuple(state.get_grad_mode(), state.get_inference_mode(), state.get_fw_grad_mode(),
                        state.get_multithreading_enabled(), state.get_view_replay_enabled());
    };
    if (modes(autograd) != modes(present.autograd)) {
      c10::AutogradState::set_tls_state(autograd);
    }
    if (keys.included_ != present.keys.included_ || keys.excluded_ != present.keys.excluded_) {
      c10::impl::_force_tls_local_dispatch_key_set(keys);
    }
  }
};

/// While it lives the thread has the guards of one fragment.
class UnderGuards {
 public:
  explicit UnderGuards(Guards& own) : own_(own) { own_.replace(outer_); }
  ~UnderGuards() {
    own_ = Guards();
    outer_.replace(own_);
  }
  UnderGuards(const UnderGuards&) = delete;
  UnderGuards& operator=(const UnderGuards&) = delete;

 private:
  Guards outer_;  // before own_: remembers what was there
  Guards& own_;
};

}  // namespace fdg::host
