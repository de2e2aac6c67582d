// FragmentHost: everything one fragment of one instance sees of the world: its Run and its ports.
//
// It carries out what the placement made of each boundary, keeps the fragment's place in the
// program, and notes down logs and, for --verify, fingerprints of what crosses. One thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/host/FragmentState.h"
#include "runtime/host/Profile.h"
#include "runtime/host/ReceivePort.h"
#include "runtime/host/Record.h"
#include "runtime/host/SendPort.h"
#include "runtime/host/Spans.h"
#include "runtime/host/StuckWatch.h"

namespace fdg::host {

/// What all fragments of a rank share.
struct HostContext {
  const Manifest& manifest;
  const place::Placement& placement;
  const Topology& topology;
  transport::Transport& transport;
  uint64_t seed = 1;
  bool keeps_saves = false;     ///< Else saved tensors are fingerprinted only.
  int64_t iteration_limit = 0;  ///< Of outermost loops; 0: none.
  bool tracing = false;
  Batch& batch;
  /// Called at every iteration of every loop, with the time where it is known.
  std::function<void(std::optional<std::chrono::steady_clock::time_point>)> tick;
  const CheckpointSetup* checkpoint = nullptr;
  bool in_step = false;      ///< See Pace.h.
  bool keeps_spans = false;  ///< For --timeline.
  bool profiles = false;     ///< For --timings.
  StuckWatch* watch = nullptr;
};

class FragmentHost final : public PortBackend, public RunBackend {
 public:
  FragmentHost(HostContext& context, const Endpoint& endpoint);

  // PortBackend
  bool trySend(int boundary, Box& value) override;
  bool tryReceive(int boundary, Box& value) override;
  bool tryExchange(int boundary, Box& value) override;
  bool isDrained(int boundary) const override;
  void onDrain(int boundary, const ValueOps& type, std::function<void(Box&)> block) override;
  bool tryDrain(int boundary) override;
  [[noreturn]] void refuseTensor(int boundary, value::Hindrance why) const override;
  void enterLoop(int loop) override;
  void leaveLoop(int loop) override;
  bool tryNext(int loop, bool& go_on) override;
  bool goesOn(int loop, bool condition) override;
  bool tryFinish(int loop) override;
  void at(int statement) override { statement_ = statement; }
  StateBackend* stateAt(int loop) override;
  bool skips(int loop) override { return outermost() && state_.skips(loop); }

  // RunBackend
  ReplicaRange replicas() const override { return endpoint_.replicas; }
  void noteRows(Rows rows, int64_t block) override;
  void log(std::string_view key, double value, double weight) override;
  void save(std::string_view name, const NamedTensors& tensors) override;
  uint64_t seed() const override { return context_.seed; }
  torch::Device device() const override { return torch::Device(endpoint_.device); }

  /// Runs drain blocks on what has come; true if there was anything.
  bool pumpDrains();
  /// For a fragment that waits: sends what it holds back, and tells those who drain how far it has
  /// come; true if there was anything to say. Only so nobody waits for what will not come.
  bool speak();
  /// Does not begin what it answers until it gets an order: `saveAt` or `release` of state().
  HoldRecord hold(int64_t number, int64_t slack);
  FragmentState& state() { return state_; }
  Spans& spans() { return spans_; }
  const Profile& profile() const { return profile_; }
  /// The fragment has ended: its partners learn it.
  void close();

  const Endpoint& endpoint() const { return endpoint_; }
  const std::string& name() const;
  /// That it has begun; the number itself, which grows.
  const int64_t& iterations() const { return iterations_; }
  /// The iteration it is in; 0 before the first.
  int64_t present() const { return std::max<int64_t>(0, iterations_ - 1); }
  /// "fragment actor, replica 0"
  std::string whoIs() const;
  /// "fragment actor, replica 0, iteration 7"
  std::string placeAt(int64_t iteration) const;
  /// Its device, where that is one whose kernels and memory its code means.
  std::optional<at::Device> gpu() const;
  /// Around each of its turns. A wait begins with the end of a turn and ends with the begin of one,
  /// so the scheduler's two readings of the clock are all it takes.
  void beginTurn(std::chrono::steady_clock::time_point now) {
    turn_ = now;
    is_fresh_ = true;
  }
  void endTurn(std::chrono::steady_clock::time_point now);
  /// Seconds it waited for room at its consumers.
  double sending() const { return std::chrono::duration<double>(sending_).count(); }
  Position reached() const;
  void addCounters(std::map<int, BoundaryRecord>& totals) const;
  /// "learner waits for batch (line 41) from buffer replica 0".
  std::string waitingFor() const;
  /// Its term has gone out, and it waits for those of all other ranks.
  bool waitsForEquals() const;

 private:
  struct DrainBlock {
    const ValueOps* type = nullptr;
    std::function<void(Box&)> run;
  };
  struct LoopPlace {
    int loop = 0;
    int64_t iteration = -1;
  };

  /// That it gets on: see StuckWatch.h.
  void giveSign() {
    if (context_.watch != nullptr) {
      context_.watch->sign(present());
    }
  }
  /// `keeps`: the fragment goes on to use the value.
  bool trySend(int boundary, Box& value, bool keeps);
  void tick();
  void speakWhereUnused(int loop);
  void stopServing();
  void beginWait(int boundary);
  void endWait(bool was_sending);

  bool outermost() const { return places_.size() == 1; }
  void archivePorts(Archive& a);
  void resumeAt(checkpoint::Point point);
  const LoopInfo* crossedLoop(int loop) const;
  bool mayBeginIteration();
  bool paces(int boundary) const;
  int64_t iterationsOver(int boundary) const;
  int64_t knownOver(int producer, int loop) const;
  bool drainsOthers(int boundary) const;
  bool ranDry() const;
  bool isEmptyIteration() const;
  Position position() const;
  int64_t currentIteration() const;
  int64_t iterationForLogs() const;
  int64_t blockOf(const Box& value) const;
  void recordCrossing(const BoundaryInfo& info, const Box& value);
  void recordResult(const BoundaryInfo& info, const Box& value);
  const BoundaryInfo& info(int boundary) const {
    return context_.manifest.boundaries[static_cast<size_t>(boundary)];
  }
  const place::BoundaryRule& rule(int boundary) const {
    return context_.placement.boundaries[static_cast<size_t>(boundary)];
  }

  HostContext& context_;
  Endpoint endpoint_;
  std::map<int, std::unique_ptr<SendPort>> send_;
  std::map<int, std::unique_ptr<ReceivePort>> receive_;
  FragmentState state_;
  std::vector<std::pair<int, SendPort*>> pacing_;  // drained, and usually sent in every iteration
  std::map<int, DrainBlock> drains_;
  std::map<int, Box> exchanging_;  // own terms under way, by boundary
  std::vector<LoopPlace> places_;
  int last_loop_ = -1;                // outermost ones that it has entered
  std::map<int, int64_t> crossings_;  // executions seen, by boundary
  int statement_ = 0;
  std::map<std::string, int64_t> saves_;  // so far, by name
  Spans spans_;
  Profile profile_;
  int waiting_on_ = -1;
  std::chrono::steady_clock::time_point turn_;  // when it began
  bool is_fresh_ = false;                       // nothing has asked for the time since
  bool begins_waiting_ = false;                 // in this turn
  std::optional<std::chrono::steady_clock::time_point> waiting_since_;
  std::vector<std::chrono::steady_clock::duration> waited_;  // by boundary
  std::chrono::steady_clock::duration sending_{};
  bool free_running_ = false;
  bool at_head_ = false;       // of its outermost loop, before the next iteration
  bool is_finishing_ = false;  // behind its outermost loop, waiting for the rest
  bool only_newest_inputs_ = false;
  bool drained_this_iteration_ = false;
  bool sent_this_iteration_ = false;
  int64_t iterations_ = 0;
  int64_t newest_iteration_ = -1;
  Rows noted_rows_;
  std::map<int64_t, int64_t> blocks_;  ///< By how many rows this replica owns.
};

}  // namespace fdg::host
