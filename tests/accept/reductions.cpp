// Reductions whose result the producer reads, a reduction between replicas only, a vote that ends the loop.
#include "parts.h"

struct Config {
  int64_t envs = 6;
  int64_t steps = 12;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(cfg.envs));
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = env.step(torch::full({run.rows(cfg.envs).size()}, step, torch::kInt64));
    const int64_t total = outcome.reward.sum().item<int64_t>();
    fdg::partition(fdg::reduce_sum, total);
    bool any_done = outcome.done.any().item<bool>();
    fdg::partition(fdg::reduce_any, any_done);
    learner.learn(torch::full({2}, total, torch::kInt64));
    run.log("loss", learner.loss());
    if (any_done && step > 5) {
      break;
    }
    if (total > 3) {
      outcome = env.step(torch::full({run.rows(cfg.envs).size()}, total, torch::kInt64));
    }
    run.log("reward", fdg::weighted(total, 1.0));
  }
  run.log("time", env.time());
}
FDG_PROGRAM(train)

// POLICY: dp-c
// CHECK-DAG: boundary total: reduce_sum environment -> 
