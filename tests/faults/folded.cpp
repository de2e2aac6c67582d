// Large terms that are reduced in every step, so that whatever happens to a rank most often happens
// within a reduction. All values are whole numbers: any number of replicas finds the same.
#include <fdg/fdg.h>

#include <limits>

struct Config {
  int64_t rows = 12;
  int64_t size = 1'000'001;  ///< Numbers that are reduced.
  int64_t steps = 20;
  int64_t nan_step = -1;  ///< Whoever has row `nan_row` finds a NaN then.
  int64_t nan_row = 0;
};

class FDG_ROLE("learner") Summer {
 public:
  Summer(fdg::Rows rows, const Config& cfg)
      : rows_(rows), cfg_(cfg), weights_(torch::zeros({cfg.size})) {}

  torch::Tensor gradients() {
    torch::Tensor sum = torch::zeros_like(weights_);
    for (int64_t row = rows_.begin; row < rows_.end; ++row) {
      sum += (weights_ + row).remainder(8);
    }
    if (step_++ == cfg_.nan_step && rows_.begin <= cfg_.nan_row && cfg_.nan_row < rows_.end) {
      sum[cfg_.size / 2] = std::numeric_limits<float>::quiet_NaN();
    }
    return sum;
  }
  void apply(const torch::Tensor& gradients) {
    weights_ = (weights_ + gradients + torch::arange(cfg_.size)).remainder(1024);
  }
  const torch::Tensor& weights() const { return weights_; }
  double first() const { return weights_[0].item<double>(); }

 private:
  fdg::Rows rows_;
  Config cfg_;
  torch::Tensor weights_;
  int64_t step_ = 0;
};

void folded(fdg::Run& run, const Config& cfg) {
  Summer learner(run.rows(cfg.rows), cfg);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto grads = learner.gradients();
    fdg::partition(fdg::reduce_sum, grads);
    learner.apply(grads);
    run.log("weight", learner.first());
  }
  auto last = learner.weights();
  run.save("model", last);
}
FDG_PROGRAM(folded)
