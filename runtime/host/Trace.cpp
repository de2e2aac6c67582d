#include "runtime/host/Trace.h"

#include <algorithm>
#include <tuple>

#include "runtime/host/AtBoundary.h"

namespace fdg::host {
namespace {

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
      disagreement = placeOf(boundary) + " differs between replicas at its execution " +
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

namespace {

/// The same point as the replicas logged it.
LogPoint pointOf(const std::vector<const LogRecord*>& replicas) {
  const LogRecord& first = *replicas.front();
  double sum = 0;
  double weight = 0;
  bool differs = false;
  for (const LogRecord* log : replicas) {
    differs = differs || log->value != first.value;
    sum += log->value * log->weight;
    weight += log->weight;
  }
  const double value = differs ? sum / weight : first.value;
  return {first.position, first.key, value, first.iteration, differs};
}

}  // namespace

std::vector<LogPoint> mergeLogs(std::vector<LogRecord> logs) {
  // What one statement logs of one replica stays in its order.
  std::ranges::stable_sort(logs, {}, [](const LogRecord& log) {
    return std::pair(log.position, log.replica);
  });
  std::vector<LogPoint> points;
  for (size_t i = 0; i < logs.size();) {
    // One replica may log a key several times at one place (a loop the runtime does not count):
    // these stay apart, the k-th of every replica is one point.
    std::map<std::pair<std::string, int64_t>, size_t> known;
    std::map<std::pair<std::string, int64_t>, int64_t> counts;
    std::vector<std::vector<const LogRecord*>> terms;
    const size_t first = i;
    for (; i < logs.size() && logs[i].position == logs[first].position; ++i) {
      const LogRecord& log = logs[i];
      const int64_t k = counts[{log.key, log.replica}]++;
      const auto [place, is_new] = known.try_emplace({log.key, k}, terms.size());
      if (is_new) {
        terms.emplace_back();
      }
      terms[place->second].push_back(&log);
    }
    for (const auto& replicas : terms) {
      points.push_back(pointOf(replicas));
    }
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
