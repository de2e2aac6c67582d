// Constants, const references and arrays of bindings whose value a reduction replaces.
#include "parts.h"

struct Config {
  int64_t steps = 9;
};

class FDG_ROLE("meter") Meter {
 public:
  std::pair<int64_t, double> read() {
    ++time_;
    return {time_, 0.5 * static_cast<double>(time_)};
  }

 private:
  int64_t time_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Meter meter;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    const auto [count, level] = meter.read();
    fdg::partition(fdg::reduce_max, count);
    fdg::partition(fdg::reduce_mean, level);
    const std::vector<int64_t> list{count, count + 1};
    run.log("level", level + static_cast<double>(list.size()));
    learner.learn(torch::full({2}, count, torch::kInt64));
    run.log("loss", static_cast<double>(learner.loss()) + level);
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary count: reduce_max meter -> 
