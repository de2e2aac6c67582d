// What loosened boundaries still promise. Drained: every message comes once, and those of one producer in the order
// in which it sent them, so that a digest of each row's history is the sequential run's. Newest: never one that is
// older than the last. Each component says so itself.
#include <stdexcept>

#include "parts.h"

struct Config {
  int64_t steps = 60;
  int64_t rows = 5;
};

struct Visit {
  torch::Tensor row;    ///< [rows] int64, among all
  torch::Tensor count;  ///< [rows] int64, visits so far
  torch::Tensor place;  ///< [rows] int64
};

class FDG_ROLE("environment") Walk {
 public:
  explicit Walk(fdg::Rows rows)
      : row_(torch::arange(rows.begin, rows.end, torch::kInt64)), place_(row_ * 7) {}
  Visit step() {
    place_ = (place_ * 5 + row_ + ++count_) % 101;
    return {row_.clone(), torch::full_like(row_, count_), place_.clone()};
  }
  parts::Weights weights() const { return {torch::full({4}, count_, torch::kInt64), count_}; }

 private:
  torch::Tensor row_;
  torch::Tensor place_;
  int64_t count_ = 0;
};

class FDG_ROLE("buffer") Ledger {
 public:
  void add(const Visit& visit) {
    for (int64_t i = 0; i < visit.row.size(0); ++i) {
      const auto row = visit.row[i].item<int64_t>();
      auto& [count, digest] = rows_[row];
      if (visit.count[i].item<int64_t>() != ++count) {
        throw std::runtime_error("visit " + std::to_string(count) + " of row " + std::to_string(row) +
                                 " is missing or came twice");
      }
      digest = (digest * 31 + visit.place[i].item<int64_t>()) % 100003;
    }
  }
  int64_t visits() const {
    int64_t sum = 0;
    for (const auto& [row, history] : rows_) {
      sum += history.first;
    }
    return sum;
  }
  int64_t digest() const {
    int64_t sum = 0;
    for (const auto& [row, history] : rows_) {
      sum = (sum * 31 + history.second) % 100003;
    }
    return sum;
  }

 private:
  std::map<int64_t, std::pair<int64_t, int64_t>> rows_;
};

class FDG_ROLE("evaluator") Reader {
 public:
  void load(FDG_LATEST const parts::Weights& weights) {
    if (weights.version < version_ || weights.values[3].item<int64_t>() != weights.version) {
      throw std::runtime_error("version " + std::to_string(weights.version) + " came after " +
                               std::to_string(version_));
    }
    version_ = weights.version;
  }

 private:
  int64_t version_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Walk walk(run.rows(cfg.rows));
  Reader reader;
  Ledger ledger;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = walk.weights();
    fdg::partition(fdg::broadcast.loose(), weights);
    reader.load(weights);
    auto visit = walk.step();
    fdg::partition(fdg::append.loose(), visit);
    ledger.add(visit);
  }
  run.log("visits", ledger.visits());
  run.log("digest", ledger.digest());
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary weights: broadcast.loose environment -> evaluator
// CHECK-DAG: boundary visit: append.loose environment -> buffer
// SAME: loosened.yaml -n 1
// SAME: loosened.yaml --replicas 3 -n 1
// SAME: loosened.yaml
// SAME: loosened.yaml --replicas 2
