// Letters: short texts between ranks outside all channels, in order per sender.
//
// A letter travels in chunks on a link of its own, a few under way to each rank, each held by its
// sender until the receiver has matched it; the rest waits in the sender. So neither a long letter
// nor many of them pile up at a rank that sleeps. Letters to the own rank are put into the inbox.
// At the end they are a barrier that does without dead ranks. One thread.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/transport/Link.h"
#include "runtime/transport/Transport.h"

namespace fdg::transport {

class Letters {
 public:
  /// Collective.
  Letters(Session& session, OnDeath on_death);

  void post(int to, std::string text);
  std::optional<Letter> take();
  /// Collects and sends on; true if anything moved.
  bool progress();
  /// Something is under way from this rank.
  bool outgoing() const;
  bool idle() const { return link_.idle() && !outgoing(); }
  /// What is for or from a dead rank is dropped.
  void forget(int rank);

  /// This rank has nothing more to do. mayLeave is true once that holds for all that live: rank 0
  /// collects and tells them.
  void sayDone();
  bool mayLeave();

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
  void take(Arrival arrival);
  bool isAlive(int rank) const { return !dead_.contains(rank); }

  int rank_;
  Link link_;
  std::vector<Outbox> out_;
  std::vector<Inbox> in_;
  std::deque<Letter> arrived_;
  size_t waiting_ = 0;  // letters in all outboxes
  std::set<int> dead_;
  std::set<int> done_;  // on rank 0
  bool may_leave_ = false;
};

}  // namespace fdg::transport
