// Channel: one direction from one producer instance to one consumer instance for one boundary.
//
// Order: messages arrive in the order they were sent, none is lost or doubled. A newest channel
// keeps the last message only. A called channel holds none: the producer's thread does in trySend
// what the consumer does with a message; only within a process. Credits: at most `window` messages
// are under way; then trySend says no. Nothing here blocks, but for a called channel's handler; the
// thread that polls calls Transport::progress and waits in Transport::waitForActivity. Threads: an
// end belongs to the thread of its fragment. Closing either end is seen by the other: a producer's
// close after its last message has been taken, a consumer's close at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "fdg/box.h"
#include "fdg/pack.h"

namespace fdg::transport {

/// Goes before every message; plain data, sent as it is.
struct Header {
  int32_t boundary = 0;
  int32_t kind = 0;          ///< 0: a value; others are the host's (a size only, a check only).
  int64_t execution = 0;     ///< The how-manieth execution of the boundary, from 0.
  int64_t iteration = 0;     ///< Of the producer's outermost loop.
  int64_t rows = 0;          ///< Rows of the producer's whole value.
  int64_t block = 1;         ///< Rows that belong together.
  uint64_t check = 0;        ///< Hash of a whole value, 0: none.
};

/// A header and a value, either packed (`parts`) or, within a process, as it is (`value`).
struct Message {
  Header header;
  value::Parts parts;
  host::Box value;
};

/// What the consumer of a called channel does with a message, in the thread of its producer. False:
/// not yet, and the message is untouched.
using Handler = std::function<bool(Message&)>;

enum class Flow { ordered, newest, called };

struct ChannelSpec {
  int boundary = 0;
  int producer = 0;          ///< Instance ids: with the boundary they name the channel.
  int consumer = 0;
  int from_rank = 0;
  int to_rank = 0;
  Flow flow = Flow::ordered;
  int window = 2;            ///< ≥ 1; only an ordered channel needs it.
  /// A received value outlives its iteration: the carrier copies instead of lending its memory.
  bool held = false;
};

class Sender {
 public:
  virtual ~Sender() = default;
  /// True if `value` is passed as it is; false if the carrier takes `parts`.
  virtual bool passesValues() const = 0;
  /// False if there is no credit; the message is then untouched. A newest channel always takes it.
  /// May be called after the consumer closed: the message is dropped. Who goes on to hold one of its
  /// tensors does not write it: carriers may read it later, and hold it until then.
  virtual bool trySend(Message& message) = 0;
  virtual void close() = 0;
  virtual bool consumerClosed() const = 0;
};

class Receiver {
 public:
  virtual ~Receiver() = default;
  /// False if nothing is there. A newest channel gives each version at most once.
  virtual bool tryReceive(Message& message) = 0;
  /// The producer closed and everything it sent has been taken.
  virtual bool ended() const = 0;
  virtual void close() = 0;
  /// Messages that could be taken at once.
  virtual int64_t waiting() const = 0;
  /// Of a called channel: from now on trySend runs `handler`; it says no while there is none.
  /// Returns when no call is under way.
  virtual void serve(Handler /*handler*/) { FDG_CHECK(false, "a channel that is not called"); }
  /// Of a called channel: a producer that was told no tries again.
  virtual void retry() {}
};

}  // namespace fdg::transport
