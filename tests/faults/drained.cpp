// Rows that cross in every way that a policy may drain: in every iteration, in an inner loop of any number of trips, and
// sometimes; and weights that come back once there is something to learn from. What the test of drained boundaries runs.
#include <mutex>
#include <thread>

#include "fdg/fdg.h"

struct Config {
  int64_t envs = 6;
  int64_t steps = 120;
  int64_t trips = 2;      ///< Of the inner loop.
  int64_t warm = 1;       ///< Iterations before anything is learned.
  int64_t pause_us = 0;   ///< Of the maker, each iteration.
};

class FDG_ROLE("maker") Maker {
 public:
  explicit Maker(fdg::Rows rows) : rows_(rows) {}

  torch::Tensor make(int64_t i, int64_t pause_us) {
    std::this_thread::sleep_for(std::chrono::microseconds(pause_us));
    ++made_;
    return torch::arange(rows_.begin, rows_.end, torch::kInt64) * 1000 + i;
  }
  void load(FDG_LATEST const torch::Tensor& weights) { weights_ = weights.clone(); }

  template <class A>
  void archive(A& a) {
    a(weights_, made_);
  }

 private:
  fdg::Rows rows_;
  torch::Tensor weights_ = torch::zeros({1});
  int64_t made_ = 0;
};

class FDG_ROLE("store") Store {
 public:
  static constexpr bool thread_safe = true;

  void add(const torch::Tensor& rows) {
    const std::scoped_lock lock(mutex_);
    rows_ += rows.size(0);
    sum_ += rows.sum().item<int64_t>();
  }
  torch::Tensor batch() {
    const std::scoped_lock lock(mutex_);
    return torch::full({2}, static_cast<double>(rows_));
  }
  int64_t rows() const {
    const std::scoped_lock lock(mutex_);
    return rows_;
  }
  int64_t sum() const {
    const std::scoped_lock lock(mutex_);
    return sum_;
  }

  template <class A>
  void archive(A& a) {
    const std::scoped_lock lock(mutex_);
    a(rows_, sum_);
  }

 private:
  mutable std::mutex mutex_;
  int64_t rows_ = 0;
  int64_t sum_ = 0;
};

class FDG_ROLE("learner") Learner {
 public:
  void learn(const torch::Tensor& batch) { weights_ = weights_ * 0.5 + batch.mean(); }
  torch::Tensor weights() const { return weights_.clone(); }

  template <class A>
  void archive(A& a) {
    a(weights_);
  }

 private:
  torch::Tensor weights_ = torch::zeros({1});
};

void drained(fdg::Run& run, const Config& cfg) {
  Maker maker(run.rows(cfg.envs));
  Store store;
  Learner learner;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto always = maker.make(i, cfg.pause_us);
    fdg::partition(fdg::append.loose(), always);
    store.add(always);
    for (int64_t j = 0; j < cfg.trips; ++j) {
      auto inner = maker.make(i + j, 0);
      fdg::partition(fdg::append.loose(), inner);
      store.add(inner);
    }
    if (i % 4 == 1) {
      auto seldom = maker.make(2 * i, 0);
      fdg::partition(fdg::append.loose(), seldom);
      store.add(seldom);
    }
    if (i >= cfg.warm) {
      auto batch = store.batch();
      fdg::partition(fdg::broadcast, batch);
      learner.learn(batch);
      auto weights = learner.weights();
      fdg::partition(fdg::broadcast.loose(), weights);
      maker.load(weights);
    }
  }
  run.log("rows", static_cast<double>(store.rows()));
  run.log("sum", static_cast<double>(store.sum()));
}

FDG_PROGRAM(drained)
