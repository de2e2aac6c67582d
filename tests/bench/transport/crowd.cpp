// Rows that cost a fixed amount of arithmetic, and a reduction each iteration: what more ranks than
// cores cost. All values are whole numbers, so any number of replicas finds the same.
#include <fdg/fdg.h>

#include <chrono>

struct Config {
  int64_t rows = 8;
  int64_t rounds = 100'000;  ///< Of arithmetic, for each row and iteration.
  int64_t iterations = 1000;
  int64_t size = 1000;  ///< Numbers that are reduced.
};

class FDG_ROLE("learner") Crowd {
 public:
  Crowd(fdg::Rows rows, const Config& cfg)
      : rows_(rows), rounds_(cfg.rounds), weights_(torch::zeros({cfg.size})) {}

  torch::Tensor gradients() {
    if (++calls_ == kWarmup) {
      start_ = std::chrono::steady_clock::now();
    }
    int64_t sum = 0;
    const auto start = static_cast<uint64_t>(weights_.data_ptr<float>()[0]);
    for (int64_t row = rows_.begin; row < rows_.end; ++row) {
      uint64_t x = start + static_cast<uint64_t>(row);
      for (int64_t i = 0; i < rounds_; ++i) {
        x = x * 6364136223846793005U + 1442695040888963407U;
      }
      sum += static_cast<int64_t>(x >> 54);
    }
    return torch::full_like(weights_, static_cast<double>(sum));
  }
  void apply(const torch::Tensor& gradients) { weights_ = (weights_ + gradients).remainder(4096); }
  const torch::Tensor& weights() const { return weights_; }
  /// Of an iteration, behind the warm-up.
  double milliseconds() const {
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start_;
    return spent.count() / static_cast<double>(calls_ - kWarmup + 1);
  }

 private:
  static constexpr int64_t kWarmup = 50;

  fdg::Rows rows_;
  int64_t rounds_;
  int64_t calls_ = 0;
  std::chrono::steady_clock::time_point start_;
  torch::Tensor weights_;
};

void crowd(fdg::Run& run, const Config& cfg) {
  Crowd learner(run.rows(cfg.rows), cfg);
  for (int64_t step = 0; step < cfg.iterations; ++step) {
    auto grads = learner.gradients();
    fdg::partition(fdg::reduce_sum, grads);
    learner.apply(grads);
  }
  run.log("milliseconds", learner.milliseconds());
  auto last = learner.weights();
  run.save("model", last);
}
FDG_PROGRAM(crowd)
