// Transport: opens channels between ranks, picking the carrier, and drives them.
//
// Same rank: local (the value moves). Same node: shared memory. Else: MPI. `force_mpi` uses MPI within a
// node too, so that it can be tested on one machine. Where ranks are threads of one process: queues.
// Order of calls: open every channel on both sides; connect (collective); poll; finish (collective).
// One thread: the one that calls progress.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/transport/Channel.h"
#include "runtime/transport/Folding.h"

namespace fdg::transport {

/// What a rank was called with: names and values.
using CallFacts = std::vector<std::pair<std::string, std::string>>;

struct TransportOptions {
  bool force_mpi = false;
  std::chrono::microseconds latency{0};  ///< Added to every message over MPI.
  bool tolerant = false;                 ///< The others outlive a rank's death. Needs ULFM.
  CallFacts call = {};                   ///< Refused where they are not the same on all ranks.
};

struct Letter {
  int from = 0;
  std::string text;
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// For every rank, the lowest rank of its node.
  virtual std::vector<int> leaders() const = 0;

  virtual std::unique_ptr<Sender> openSender(const ChannelSpec& spec) = 0;
  virtual std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec) = 0;
  /// Null where the members' ranks do not share memory: the same on all of them. Opened by all, before connect.
  virtual std::shared_ptr<Folding> openFolding(const FoldSpec& /*spec*/) { return nullptr; }
  /// Collective. Afterwards nothing of the shared memory has a name any more: a killed run leaves nothing.
  virtual void connect() = 0;

  /// Moves what can be moved; true if anything did. Never blocks.
  virtual bool progress() = 0;
  /// Sleeps until something may have changed for this rank or `most` is over: spins at most 50 µs, then a
  /// futex (at once when there are more ranks than cores), polling MPI in between where it has remote peers.
  virtual void waitForActivity(std::chrono::microseconds most) = 0;
  /// The same for a rank that goes on only when all others are where it is: with more ranks than cores it
  /// gives its core to them before it sleeps, for at most 20 µs of its own.
  virtual void waitForEquals(std::chrono::microseconds most) { waitForActivity(most); }

  /// Control messages outside all channels (logs, reports, errors): kept in order per sender, small, rare.
  virtual void post(int to, std::string text) = 0;
  /// The next one that is here, also without progress.
  virtual std::optional<Letter> takeLetter() = 0;

  /// Collective: waits until everyone that lives is here, letters are delivered and sends are
  /// complete.
  virtual void finish() = 0;
  /// Ends all ranks at once with this exit code; a tolerant transport this rank only, and the
  /// others learn of its death.
  [[noreturn]] virtual void abort(int code) = 0;

  /// Tolerant: `f` is called once for every rank that dies, from progress, waitForActivity and
  /// takeLetter, after the channels from and to it have ended. It may throw.
  virtual void onDeath(std::function<void(int rank)> f) = 0;
  /// Tolerant: "rank 2 (process 4711 on node3)".
  virtual std::string nameOf(int rank) const = 0;
};

/// One rank, no MPI.
std::unique_ptr<Transport> makeLocalTransport();
/// Ranks that are threads of one process: a transport for each. No MPI; `abort` ends the process.
std::vector<std::unique_ptr<Transport>> makeThreadTransports(int ranks);
/// Initialises MPI (THREAD_SERIALIZED) and finalises it in the destructor. Throws UserError if MPI cannot start, and
/// on all ranks if one was called with other facts than rank 0.
std::unique_ptr<Transport> makeMpiTransport(const TransportOptions& options);

}  // namespace fdg::transport
