// A derived value and a derived condition that two consumers read: copied, with one boundary.
#include "parts.h"

struct Config {
  int64_t steps = 16;
  int64_t limit = 40;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(4));
  parts::Buffer buffer;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = env.step(torch::full({run.rows(4).size()}, step, torch::kInt64));
    auto reward = outcome.reward;
    fdg::partition(fdg::all_gather, reward);
    auto shaped = reward * 2 + 1;
    const bool good = shaped.sum().item<int64_t>() > cfg.limit % 7;
    if (good) {
      buffer.mark(shaped);
    } else {
      buffer.mark(-shaped);
    }
    learner.learn(shaped);
    if (!good) {
      run.log("loss", learner.loss());
    }
  }
  run.log("drawn", buffer.sample(1).sum().item<int64_t>());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: boundary reward: all_gather environment -> {{buffer, learner|learner, buffer}}
