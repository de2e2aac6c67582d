// A learner whose tensors are on run.device(); what it is given comes there, what it gives arrives where its taker's
// tensors are.
#include <fdg/fdg.h>

struct Config {
  int64_t rows = 16;
  int64_t steps = 40;
};

class FDG_ROLE("environment") Source {
 public:
  explicit Source(fdg::Rows rows) : at_(torch::arange(rows.begin, rows.end, torch::kFloat)) {}
  torch::Tensor next() {
    at_ = torch::fmod(at_ * 1.7 + 0.3, 5.0);
    return torch::stack({at_, at_ * at_}, 1);
  }

 private:
  torch::Tensor at_;
};

class FDG_ROLE("learner") Learner {
 public:
  explicit Learner(torch::Device device)
      : weights_(torch::tensor({{0.1F}, {0.2F}}, device)), device_(device) {}
  torch::Tensor gradient(const torch::Tensor& inputs) const {
    TORCH_CHECK(inputs.device().type() == device_.type(), "inputs are on ", inputs.device());
    return inputs.t().matmul(inputs.matmul(weights_) - 1.0) / inputs.size(0);
  }
  torch::Tensor step(const torch::Tensor& gradient) {
    weights_ = weights_ - 0.003 * gradient;
    return weights_;
  }

 private:
  torch::Tensor weights_;
  torch::Device device_;
};

class FDG_ROLE("evaluator") Judge {
 public:
  double judge(const torch::Tensor& weights) const {
    TORCH_CHECK(weights.is_cpu() || all_on_gpu_, "weights are on ", weights.device());
    return weights.sum().item<double>();
  }
  explicit Judge(torch::Device device) : all_on_gpu_(!device.is_cpu()) {}

 private:
  bool all_on_gpu_;
};

void train(fdg::Run& run, const Config& cfg) {
  Source source(run.rows(cfg.rows));
  Learner learner(run.device());
  Judge judge(run.device());
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto inputs = source.next();
    fdg::partition(fdg::gather, inputs);
    auto gradient = learner.gradient(inputs);
    fdg::partition(fdg::reduce_mean, gradient);
    auto weights = learner.step(gradient);
    fdg::partition(fdg::broadcast, weights);
    run.log("sum", judge.judge(weights));
  }
}
FDG_PROGRAM(train);
