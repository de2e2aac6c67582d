// Range-for over what one fragment has, with a boundary inside; and one over a list from the config.
#include "parts.h"

struct Config {
  int64_t steps = 8;
  std::vector<int64_t> sizes = {2, 3};
};

class FDG_ROLE("buffer") Batches {
 public:
  std::vector<torch::Tensor> draw(int64_t n) {
    std::vector<torch::Tensor> batches;
    for (int64_t i = 0; i < n; ++i) {
      batches.push_back(torch::full({3}, i + ++drawn_, torch::kInt64));
    }
    return batches;
  }
  void note(int64_t loss) { drawn_ += loss % 2; }

 private:
  int64_t drawn_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Batches buffer;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    for (auto batch : buffer.draw(step % 4)) {
      fdg::partition(fdg::broadcast, batch);
      learner.learn(batch);
      run.log("loss", learner.loss());
    }
    for (const int64_t size : cfg.sizes) {
      auto loss = learner.loss() + size;
      fdg::partition(fdg::broadcast, loss);
      buffer.note(loss);
    }
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: choice {{.*}}: buffer -> learner
