// A source that is always busy and a sink: nothing flows back, so the source's rank never waits. A
// judge waits behind the loop.
#include <chrono>
#include <thread>

#include "fdg/fdg.h"

struct Config {
  int64_t rows = 4;
  int64_t steps = 100;
  int64_t work_ms = 0;   ///< Of the source, in each step.
  int64_t hang_at = -1;  ///< From this step on the sink does not come back for a minute.
};

class FDG_ROLE("environment") Source {
 public:
  explicit Source(fdg::Rows rows) : state_(torch::arange(rows.begin, rows.end, torch::kFloat)) {}

  torch::Tensor step(int64_t work_ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(work_ms));
    state_ = torch::remainder(state_ * 1.5F + 1, 7);
    return state_.clone();
  }

  template <class A>
  void archive(A& a) {
    a(state_);
  }

 private:
  torch::Tensor state_;
};

class FDG_ROLE("learner") Sink {
 public:
  void take(const torch::Tensor& values, bool hangs) {
    if (hangs) {
      std::this_thread::sleep_for(std::chrono::minutes(1));
    }
    sum_ = sum_ * 0.9F + values;
  }
  double mean() const { return sum_.mean().item<double>(); }
  torch::Tensor sum() const { return sum_.clone(); }

  template <class A>
  void archive(A& a) {
    a(sum_);
  }

 private:
  torch::Tensor sum_ = torch::zeros({4});
};

class FDG_ROLE("evaluator") Judge {
 public:
  double judge(const torch::Tensor& sum) const { return sum.sum().item<double>(); }
};

void oneWay(fdg::Run& run, const Config& cfg) {
  Source source(run.rows(cfg.rows));
  Sink sink;
  Judge judge;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto values = source.step(cfg.work_ms);
    fdg::partition(fdg::gather, values);
    sink.take(values, step == cfg.hang_at);
    run.log("weight", sink.mean());
  }
  auto last = sink.sum();
  fdg::partition(fdg::broadcast, last);
  run.log("score", judge.judge(last));
  run.save("model", last);
}
FDG_PROGRAM(oneWay)
