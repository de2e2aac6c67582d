// Constant variables of headers whose value a reduction or a message replaces: a range-for's, a condition's, and
// one that a fragment computes itself before it receives it.
#include "parts.h"

struct Config {
  int64_t steps = 6;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Buffer buffer;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    const std::vector<int64_t> sizes{buffer.size() + step, step % 3};
    for (const auto size : sizes) {
      fdg::partition(fdg::reduce_sum, size);
      learner.learn(torch::full({2}, size, torch::kInt64));
      buffer.mark(torch::full({1}, size, torch::kInt64));
    }
    if (const int64_t loss = learner.loss() % 4) {
      fdg::partition(fdg::reduce_max, loss);
      buffer.mark(torch::full({1}, loss, torch::kInt64));
      run.log("loss", learner.loss() + loss);
    }
    switch (const int64_t kind = buffer.size() + step; kind % 2) {
      case 0:
        fdg::partition(fdg::broadcast, kind);
        learner.learn(torch::full({2}, kind, torch::kInt64));
        break;
      default:
        break;
    }
    int64_t left = step % 3;
    while (const int64_t more = learner.loss() + left) {
      fdg::partition(fdg::broadcast, more);
      buffer.mark(torch::full({1}, more, torch::kInt64));
      if (--left < 0) {
        break;
      }
    }
  }
  run.log("version", learner.version());
  run.log("sample", buffer.sample(2).sum());
}
FDG_PROGRAM(train)
