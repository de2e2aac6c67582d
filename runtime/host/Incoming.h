// Incoming: room for one message of a producer, which is there once it has come. Tries that find nothing
// cost no making of a message: under `single` that is every other one.
#pragma once

#include "runtime/transport/Channel.h"

namespace fdg::host {

class Incoming {
 public:
  /// True if one has come; only where none is here.
  bool take(transport::Receiver& receiver) {
    return is_here_ = receiver.tryReceive(message_);
  }
  explicit operator bool() const { return is_here_; }
  transport::Message& operator*() { return message_; }
  const transport::Message& operator*() const { return message_; }
  const transport::Message* operator->() const { return &message_; }
  /// Lets go of all that it holds.
  void reset() {
    is_here_ = false;
    message_.value = {};
    if (!message_.parts.tensors.empty() || !message_.parts.bytes.empty()) {
      message_.parts = {};
    }
  }

 private:
  transport::Message message_;
  bool is_here_ = false;
};

}  // namespace fdg::host
