// Letters: short texts between ranks outside all channels, in order per sender.
//
// A letter travels in chunks on a link of its own, a few under way to each rank, each held by its
// sender until the receiver has matched it; the rest waits in the sender. So neither a long letter
// nor many of them pile up at a rank that sleeps. Letters to the own rank are put into the inbox.
// One thread.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "runtime/transport/Link.h"
#include "runtime/transport/Transport.h"

namespace fdg::transport {

class Letters {
 public:
  /// Collective.
  explicit Letters(Session& session);

  void post(int to, std::string text);
  std::optional<Letter> take();
  /// Collects and sends on; true if anything moved.
  bool progress();
  /// Something is under way from this rank.
  bool outgoing() const;
  bool idle() const { return link_.idle() && !outgoing(); }

 private:
  struct Outbox {
    std::deque<std::string> letters;
    size_t sent = 0;  // bytes of the front letter
  };
  struct Inbox {
    std::deque<std::shared_ptr<Incoming>> chunks;
    std::string text;
  };

  bool sendOn(int to);
  bool collect(int from);

  int rank_;
  Link link_;
  std::vector<Outbox> out_;
  std::vector<Inbox> in_;
  std::deque<Letter> arrived_;
  size_t waiting_ = 0;  // letters in all outboxes
};

}  // namespace fdg::transport
