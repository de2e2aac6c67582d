#include "runtime/host/Trace.h"

#include <algorithm>
#include <tuple>

namespace fdg::host {
namespace {

auto logOrder(const LogRecord& log) { return std::tie(log.position, log.key, log.replica); }

void sortCrossings(const Manifest& manifest, std::vector<Crossing>& crossings) {
  const auto line = [&](const Crossing& c) {
    return manifest.boundaries[static_cast<size_t>(c.boundary)].line;
  };
  std::ranges::sort(crossings, [&](const Crossing& a, const Crossing& b) {
    return std::tuple(a.iteration, line(a), a.boundary, a.execution) <
           std::tuple(b.iteration, line(b), b.boundary, b.execution);
  });
}

/// The instances' records of one execution, in replica order, as one crossing.
Crossing joinCrossing(const Manifest& manifest, const std::vector<CrossRecord>& records,
                      std::string& disagreement) {
  const CrossRecord& first = records.front();
  const BoundaryInfo& boundary = manifest.boundaries[static_cast<size_t>(first.boundary)];
  Crossing crossing{first.boundary, first.execution, first.iteration, first.hash,
                    records.size() == 1};
  const bool is_whole =
      boundary.operation == OperationKind::broadcast || isReduction(boundary.operation);
  for (size_t i = 1; i < records.size(); ++i) {
    if (!is_whole) {
      crossing.hash = value::join(crossing.hash, records[i].hash);
    } else if (records[i].hash.whole != first.hash.whole && disagreement.empty()) {
      disagreement = "line " + std::to_string(boundary.line) + ": " + boundary.name +
                     " differs between replicas at its execution " +
                     std::to_string(first.execution);
    }
    crossing.is_whole = is_whole;
  }
  return crossing;
}

class RecordingTape final : public Tape, public RunBackend {
 public:
  RecordingTape(const Manifest& manifest, uint64_t seed, int64_t limit)
      : manifest_(manifest), seed_(seed), limit_(limit) {}

  void at(int statement) override { statement_ = statement; }
  uint64_t seed() const override { return seed_; }

  void log(std::string_view key, double value, double weight) override {
    if (weight != 0) {
      batch_.logs.push_back({position(), std::string(key), value, weight, outerIteration(), 0});
    }
  }

  void save(std::string_view name, const NamedTensors& tensors) override {
    SaveRecord save;
    save.position = position();
    save.name = name;
    save.execution = saves_[save.name]++;
    save.hash = hashOf(tensors);
    batch_.saves.push_back(std::move(save));
  }

  Batch takeBatch() { return std::move(batch_); }

 protected:
  void crossed(int boundary, Box& values) override {
    const int64_t execution = executions_[boundary]++;
    batch_.crossings.push_back(
        {boundary, execution, outerIteration(), 0, values.ops().hash(values.data())});
    if (execution == 0 &&
        isReduction(manifest_.boundaries[static_cast<size_t>(boundary)].operation)) {
      value::Parts parts;
      values.ops().pack(values.data(), parts);
      batch_.results.push_back({boundary, numbersOf(parts, 1 << 20)});
    }
  }
  void enterLoop(int loop) override { places_.emplace_back(loop, -1); }
  void leaveLoop(int /*loop*/) override { places_.pop_back(); }
  bool next(int loop) override {
    ++places_.back().second;
    const auto info = std::ranges::find(manifest_.loops, loop, &LoopInfo::id);
    const bool counts = places_.size() == 1 && info != manifest_.loops.end() && info->has_boundary;
    return !(counts && limit_ > 0 && places_.back().second >= limit_);
  }

 private:
  Position position() const {
    Position position;
    for (const auto& [loop, iteration] : places_) {
      position.insert(position.end(), {loop, iteration});
    }
    position.push_back(statement_);
    return position;
  }
  int64_t outerIteration() const { return places_.empty() ? -1 : places_.front().second; }

  const Manifest& manifest_;
  uint64_t seed_;
  int64_t limit_;
  Batch batch_;
  std::vector<std::pair<int64_t, int64_t>> places_;
  std::map<int, int64_t> executions_;
  std::map<std::string, int64_t> saves_;
  int statement_ = 0;
};

}  // namespace

std::vector<LogPoint> mergeLogs(std::vector<LogRecord> logs) {
  std::ranges::stable_sort(
      logs, [](const LogRecord& a, const LogRecord& b) { return logOrder(a) < logOrder(b); });
  std::vector<LogPoint> points;
  for (size_t i = 0; i < logs.size();) {
    // One replica may log a key several times at one place (a loop the runtime does not count):
    // these stay apart, the k-th of every replica is one point.
    std::map<int64_t, std::vector<const LogRecord*>> by_replica;
    size_t end = i;
    for (; end < logs.size() && logs[end].position == logs[i].position &&
           logs[end].key == logs[i].key;
         ++end) {
      by_replica[logs[end].replica].push_back(&logs[end]);
    }
    size_t most = 0;
    for (const auto& [replica, records] : by_replica) {
      most = std::max(most, records.size());
    }
    for (size_t k = 0; k < most; ++k) {
      double sum = 0;
      double weight = 0;
      const LogRecord* first = nullptr;
      bool differs = false;
      for (const auto& [replica, records] : by_replica) {
        if (k < records.size()) {
          first = first == nullptr ? records[k] : first;
          differs = differs || records[k]->value != first->value;
          sum += records[k]->value * records[k]->weight;
          weight += records[k]->weight;
        }
      }
      points.push_back({first->position, first->key, differs ? sum / weight : first->value,
                        first->iteration, by_replica.size() > 1 && differs});
    }
    i = end;
  }
  return points;
}

Trace mergeTrace(const Manifest& manifest, std::vector<Batch> batches) {
  Trace trace;
  std::map<std::pair<int, int64_t>, std::vector<CrossRecord>> crossings;
  std::map<std::tuple<Position, int64_t, std::string>, uint64_t> saves;
  std::vector<LogRecord> logs;
  for (Batch& batch : batches) {
    for (CrossRecord& record : batch.crossings) {
      crossings[{record.boundary, record.execution}].push_back(record);
    }
    logs.insert(logs.end(), batch.logs.begin(), batch.logs.end());
    trace.results.insert(trace.results.end(), batch.results.begin(), batch.results.end());
    for (const SaveRecord& save : batch.saves) {
      const auto [known, is_new] =
          saves.emplace(std::tuple(save.position, save.execution, save.name), save.hash);
      if (!is_new && known->second != save.hash && trace.disagreement.empty()) {
        trace.disagreement = "what run.save(\"" + save.name + "\") saves differs between replicas";
      }
    }
  }
  for (const auto& [key, hash] : saves) {
    trace.saves.push_back({std::get<std::string>(key), hash});
  }
  for (auto& [key, records] : crossings) {
    std::ranges::sort(records, {}, &CrossRecord::replica);
    trace.crossings.push_back(joinCrossing(manifest, records, trace.disagreement));
  }
  sortCrossings(manifest, trace.crossings);
  trace.logs = mergeLogs(std::move(logs));
  return trace;
}

Trace sequentialTrace(const Manifest& manifest, const PlanCode& code, const void* config,
                      uint64_t seed, int64_t iterations) {
  RecordingTape tape(manifest, seed, iterations);
  Run run(tape);
  code.sequential(run, config, tape);
  std::vector<Batch> batches;
  batches.push_back(tape.takeBatch());
  return mergeTrace(manifest, std::move(batches));
}

}  // namespace fdg::host
