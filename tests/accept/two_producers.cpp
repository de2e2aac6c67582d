// One annotation of values that two fragments made; it is a boundary for each of them.
#include "parts.h"

struct Config {
  int64_t steps = 9;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(2));
  parts::Buffer buffer;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = env.step(torch::full({2}, step, torch::kInt64));
    auto batch = buffer.sample(2);
    fdg::partition(fdg::gather, outcome, batch);
    auto priorities = learner.learn(outcome.observation + batch);
    fdg::partition(fdg::gather, priorities);
    buffer.mark(priorities);
    run.log("loss", learner.loss());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary outcome: gather environment -> learner
// CHECK-DAG: boundary batch: gather buffer -> learner
