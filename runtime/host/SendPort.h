// SendPort: a producer's side of one boundary. Cuts a value for its consumers and hands it to the
// channels.
//
// trySend is repeated with the same value until it says true; what has gone out is remembered.
// Throws Closed when every consumer has ended. One thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fdg/archive.h"
#include "fdg/fragment.h"
#include "runtime/host/Reduction.h"

namespace fdg::host {

/// Kinds of message in transport::Header::kind. kLayout: a term whose tensors stay where they are.
/// kWord: of a drained boundary, no value, only that the producer's iterations up to the header's
/// are over and all that they sent has gone before it.
enum MessageKind : int32_t { kValue = 0, kSizeOnly = 1, kCheckOnly = 2, kLayout = 3, kWord = 4 };

struct PortCounters {
  int64_t executions = 0;
  int64_t messages = 0;
  int64_t bytes = 0;
  int64_t longest_queue = 0;
};

class SendPort {
 public:
  SendPort(const BoundaryInfo& info, const place::BoundaryRule& rule,
           const BoundaryTopology& topology, const Endpoint& self, transport::Transport& transport);

  /// `rows` are the rows this endpoint owns, for reductions of terms that carry no weight.
  /// `keeps`: the caller goes on using the value, so no consumer may have it as it is. Else the box may
  /// be empty afterwards, also where it is to be tried again.
  bool trySend(Box& value, int64_t iteration, int64_t rows, bool keeps);
  /// Rows of the next value belong together in blocks of so many.
  void cutsBlocksOf(int64_t rows) { block_ = rows; }
  /// When its consumers have ended, values are dropped instead of ending the producer too: for
  /// loosened boundaries of a fragment that has a bound of its own.
  void goOnAlone() { goes_on_alone_ = true; }
  /// The end of any consumer ends the producer, not only that of all: for ordered boundaries of a
  /// rate class that runs until it is told to stop.
  void endWithAny() { ends_with_any_ = true; }
  /// Sends what `pack` holds back, as far as there is room.
  void sendHeld(int64_t iteration);
  /// For a producer that waits: what `pack` holds back, then the word that its iterations up to `over`
  /// are over, each as far as there is room. True if anything went out.
  bool speak(int64_t iteration, int64_t over);
  /// The same at the head behind an iteration in which nothing was sent here, since a producer that
  /// never waits would else never speak; what `pack` holds back may wait for some of them.
  void speakIfUnused(int64_t over);
  /// Newest: how many versions there were.
  void archive(Archive& a);
  /// Sends what `pack` held back and is under way, then ends the channels; false: there is no room
  /// yet. For a producer that ends by its own bound.
  bool tryFinish(int64_t iteration);
  /// Ends the channels as they are.
  void close();
  bool hasConsumers() const { return !targets_.empty(); }
  const PortCounters& counters() const { return counters_; }

 private:
  struct Target {
    Route route;
    ReplicaRange consumer;
    std::unique_ptr<transport::Sender> sender;
    std::optional<transport::Message> pending;
    bool folds = false;  ///< It is a replica that terms are folded with.
    int64_t told = -1;   ///< The iteration of the last word.
  };

  void prepare(Box& value, int64_t iteration, int64_t rows, bool keeps);
  void fill(transport::Message& message, const Target& target, Box& value, bool may_take);
  bool fillLayout(transport::Message& message, const Target& target, const Box& value);
  void countBytes(const value::Parts& parts);
  bool flush();
  /// Collects rows for `pack`; the joined value once there are enough.
  std::optional<Box> collect(const Box& value);
  Box takeCollected();

  const BoundaryInfo& info_;
  const place::BoundaryRule& rule_;
  Endpoint self_;
  size_t producers_;
  std::shared_ptr<transport::Folding> folding_;
  std::vector<Target> targets_;
  std::vector<Box> collected_;
  int64_t collected_rows_ = 0;
  int64_t used_ = -1;  // the last iteration in which there was something to send
  int64_t block_ = 1;
  bool prepared_ = false;
  bool is_extra_ = false;  // what is prepared is what was held, not the value at hand
  int64_t earlier_ = 0;    // executions before this run went on from a checkpoint
  bool goes_on_alone_ = false;
  bool ends_with_any_ = false;
  bool closed_ = false;
  transport::Header header_;
  PortCounters counters_;
};

/// Rows of all boxes in order, as one box.
Box concatBoxes(const std::vector<Box>& boxes);

}  // namespace fdg::host
