// Channels between ranks without common memory: messages over a Link, with credits.
//
// A message is one buffer, and before it each of its large tensors from where it lies. The consumer
// tells how many it has taken, behind a small message that goes there anyway or by one of its own;
// the producer is never more than `window` ahead, so a peer that sleeps holds at most that many. A
// newest channel has one message under way: its successor waits in the producer and is replaced
// there by a newer one. Tensors received are views of the message's buffer, large ones of buffers
// of their own. One thread.
#pragma once

#include <chrono>
#include <deque>
#include <vector>

#include "runtime/transport/Ends.h"
#include "runtime/transport/Link.h"

namespace fdg::transport {

class MpiSender;
class MpiReceiver;
struct Rider;
struct Wire;

class MpiCarrier {
 public:
  /// Collective. `latency`: what arrives is held back that long, to study slower networks.
  MpiCarrier(Session& session, Activity activity, std::chrono::microseconds latency,
             OnDeath on_death);
  ~MpiCarrier();

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec);
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec);
  /// Collective: tells the other ends' ranks what was opened since the last call. Aborts, naming
  /// the channel, if an end has no other.
  void connect();

  bool progress();
  /// When the first message that is held back will be let go.
  std::optional<std::chrono::steady_clock::time_point> nextDue() const;
  bool hasChannels() const { return !senders_.empty() || !receivers_.empty(); }
  bool idle() const;
  void shut();
  /// Ends the channels from and to a dead rank.
  void forget(int rank);

 private:
  struct Delayed {
    std::chrono::steady_clock::time_point due;
    Arrival arrival;
  };
  std::optional<Rider> takeRider(int rank);
  void announce(Arrival arrival);
  void take(Arrival arrival);
  bool announceDue();

  Session& session_;
  std::shared_ptr<Wire> link_;
  Link the_link_;
  Activity activity_;
  std::chrono::microseconds latency_;
  std::deque<Delayed> delayed_;
  std::vector<std::shared_ptr<MpiSender>> senders_;
  std::vector<std::shared_ptr<MpiReceiver>> receivers_;
  size_t connected_senders_ = 0;
  size_t connected_receivers_ = 0;
};

}  // namespace fdg::transport
