// Link: messages over MPI on a communicator of their own, without MPI's types.
//
// A sent buffer is kept until MPI has let go of it. A message that arrives is announced at once, in
// the order of matching (so per sender and tag in the order of sending), and becomes ready when its
// bytes are there: large ones take a while, and nobody blocks on them (Improbe, Imrecv, test). With
// `confirmed` the sender holds the message until the receiver has matched it: nothing piles up at a
// peer that sleeps. Nothing moves unless someone calls progress. One thread at a time. MPI errors
// come as UserError; in a tolerant session a rank's death is none: progress tells it once, and what
// was under way from or to that rank is dropped.
#pragma once

#include <functional>
#include <memory>

#include "runtime/transport/Packing.h"
#include "runtime/transport/Session.h"

namespace fdg::transport {

/// Messages up to this size are ready when they are announced.
constexpr size_t kReadyAtOnce = 4096;

struct Incoming {
  std::shared_ptr<Buffer> buffer;
  bool ready = false;
};

struct Arrival {
  int from = 0;
  int tag = 0;
  std::shared_ptr<Incoming> incoming;
};

using OnDeath = std::function<void(int rank)>;

/// What one call of progress did.
struct LinkProgress {
  int arrived = 0;
  int received = 0;  ///< Large ones that became ready.
  int sent = 0;      ///< That MPI has let go of.
  bool any() const { return arrived + received + sent > 0; }
};

class Link {
 public:
  /// Collective. The session must outlive the link. `on_death` is called last in progress.
  Link(Session& session, OnDeath on_death);
  /// Collective. What is still under way then may or may not arrive.
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// For what is to be sent.
  std::shared_ptr<Buffer> buffer(size_t size);
  void send(int to, int tag, std::shared_ptr<Buffer> buffer, bool confirmed = false);
  /// Sends it from where it lies: until MPI has let go of it nobody may write it. `keeps` keeps it.
  void sendFrom(int to, int tag, std::span<const std::byte> bytes, std::shared_ptr<void> keeps);
  LinkProgress progress(const std::function<void(Arrival)>& announce);
  /// No send or receive is under way on this rank.
  bool idle() const;
  /// Sends to `to` that MPI still holds.
  int underWay(int to) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fdg::transport
