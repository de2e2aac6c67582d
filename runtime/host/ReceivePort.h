// ReceivePort: a consumer's side of one boundary. Collects the messages of one execution and joins
// them.
//
// tryReceive is repeated until it says true; messages that came early are kept. Throws Closed when
// a producer has ended and its message can no longer come. Anything but the expected boundary and
// execution is a defect and stops the run. One thread; inline, those of the producers run the drain
// block.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fdg/archive.h"
#include "runtime/host/Incoming.h"
#include "runtime/host/SendPort.h"

namespace fdg::host {

class ReceivePort {
 public:
  ReceivePort(const BoundaryInfo& info, const place::BoundaryRule& rule,
              const BoundaryTopology& topology, const Endpoint& self,
              transport::Transport& transport);

  /// Ordered and newest: the next value into `out`. `own` is this endpoint's own term, with its
  /// rows. `wants_unseen`: a newest value that was taken before does not count.
  bool tryReceive(Box& out, const Box* own, int64_t own_rows, bool wants_unseen);

  /// Drained: runs `block` on what is there, up to the iteration the rules allow and a window of
  /// each producer; the number of messages. Inline: from iteration 0 on lets the producers'
  /// threads run it; the number of those they did since. Type and block are used until stopServing.
  int64_t drain(const ValueOps& type, int64_t iteration, const std::function<void(Box&)>& block);
  /// The same behind the consumer's loop: whatever the iteration, and once no more can come what
  /// `take` left over.
  int64_t drainRest(const ValueOps& type, const std::function<void(Box&)>& block);
  /// Inline: no producer's thread runs the block any more, until the next drain.
  void stopServing();
  /// Drained: whether the consumer may start this iteration, as far as its producers have come.
  /// `known`: up to which iteration those of a producer (an endpoint) are over, known from elsewhere.
  bool mayStart(int64_t iteration, const std::function<int64_t(int)>& known = {}) const;
  /// Drained: it need not wait for a message before this iteration, though the last found none: one
  /// is there that it may take later only, or the producers wait themselves and had none.
  bool mayStartEmpty(int64_t iteration) const;
  /// Up to which iteration those of the producer (an endpoint) are over, as this boundary shows.
  int64_t knownOver(int producer) const;
  /// Drained: a producer has said how far it has come, since this was last asked.
  bool takeHeard() { return std::exchange(heard_, false); }
  /// Drained: all producers have ended and nothing is left.
  bool dry() const;

  /// Iteration of the producer that made the last value.
  int64_t producerIteration() const { return producer_iteration_; }
  /// Loosened: the newest value, and how far the producers have come.
  void archive(Archive& a);
  /// Newest: the value that it holds is too old for the reading it is at.
  bool isTooOld() const {
    return rule_.max_staleness > 0 && version_ < reads_ - rule_.max_staleness;
  }
  void close();
  const PortCounters& counters() const { return counters_; }
  const BoundaryInfo& info() const { return info_; }
  /// What it waits for, for the report of a stuck run.
  std::string waitingFor(const Manifest& manifest) const;

 private:
  struct Calls {  // written by the producer's thread
    std::atomic<int64_t> number{0};  // not counted yet
    std::atomic<int64_t> reached{-1};
    std::atomic<int64_t> told{-1};
  };
  struct Source {
    Route route;
    ReplicaRange producer;
    std::unique_ptr<transport::Receiver> receiver;
    Incoming message;
    int64_t reached = -1;  ///< Iteration of the last message taken, or of its word.
    int64_t told = -1;     ///< Of its word alone.
    std::unique_ptr<Calls> calls = std::make_unique<Calls>();
  };

  bool takeNewest(Box& out, bool wants_unseen);
  bool collect();
  bool take(Source& source) const;
  void takeRows(const Box& box, const std::function<void(Box&)>& block);
  void checkHeader(const Source& source) const;
  int64_t attend(const ValueOps& type, int64_t iteration, const std::function<void(Box&)>& block);
  transport::Handler handlerFor(Source& source, const ValueOps& type,
                                const std::function<void(Box&)>& block);
  int64_t countCalls();
  Box unpack(transport::Message& message, const ValueOps& type) const;
  static Box unpackAsSent(transport::Message& message, const ValueOps& type);
  Box assemble(const ValueOps& type, const Box* own, int64_t own_rows);
  Box assembleRows(const ValueOps& type);
  Box assembleWhole(const ValueOps& type);
  Box assembleTerms(const ValueOps& type, const Box* own, int64_t own_rows);
  bool anyStays(bool stays) const;
  [[noreturn]] void refuseUnequal(const std::vector<std::string>& own) const;
  void beginFold(const Box* own);
  void joinFold(const ValueOps& type, int64_t own_rows);
  bool tryFold(Box& out, int64_t own_rows);

  const BoundaryInfo& info_;
  const place::BoundaryRule& rule_;
  const BoundaryTopology& topology_;
  Endpoint self_;
  std::optional<at::Device> device_;  // where values are moved to; empty: they are all there
  std::vector<Source> sources_;
  std::shared_ptr<transport::Folding> folding_;
  std::optional<Reduction> reduction_;  // under way
  int64_t looked_at_ = -1;              // the execution whose own term may be folded
  Box newest_;
  int64_t version_ = -1;   // of newest_: how many its producer had sent before
  int64_t reads_ = 0;      // of newest values; in the program's order reading n gives version n
  value::Parts restored_;  // a newest value whose type is not known yet
  bool is_restored_ = false;
  std::vector<Box> rest_;  // rows that `take` has not used yet
  int64_t rest_rows_ = 0;
  int64_t producer_iteration_ = -1;
  bool is_serving_ = false;
  bool heard_ = false;
  std::atomic<int64_t> most_called_{-1};  // the last iteration of producers that may call
  PortCounters counters_;
};

}  // namespace fdg::host
