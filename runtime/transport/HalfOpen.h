// The queues of which one end has been opened: each goes to the end that opens the other.
//
// Q has `flow` and `window`. Aborts, naming the channel, where an end is opened twice, the two ends
// disagree, or one is missing when all should be there. One thread at a time.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "runtime/transport/Ends.h"

namespace fdg::transport {

template <class Q>
class HalfOpen {
 public:
  /// The queue of this channel; `make` gives a shared_ptr to a new one to the end that comes first.
  template <class Make>
  std::shared_ptr<Q> open(const ChannelSpec& spec, bool by_sender, const Make& make) {
    const ChannelKey key = keyOf(spec);
    const auto found = opened_.find(key);
    if (found == opened_.end()) {
      return opened_.emplace(key, Opened{make(), by_sender}).first->second.queue;
    }
    FDG_CHECK(found->second.by_sender != by_sender, "one end opened twice: " + describe(key));
    std::shared_ptr<Q> queue = std::move(found->second.queue);
    FDG_CHECK(queue->flow == spec.flow && (spec.flow == Flow::newest ||
                                           queue->window == static_cast<size_t>(spec.window)),
              "the two ends disagree on flow or window: " + describe(key));
    opened_.erase(found);
    return queue;
  }

  void checkNone() const {
    for (const auto& [key, opened] : opened_) {
      FDG_CHECK(false,
                fmt::format("only the {} was opened: {}",
                            opened.by_sender ? "producer's end" : "consumer's end", describe(key)));
    }
  }

 private:
  struct Opened {
    std::shared_ptr<Q> queue;
    bool by_sender = false;
  };
  std::map<ChannelKey, Opened> opened_;
};

}  // namespace fdg::transport
