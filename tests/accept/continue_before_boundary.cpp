// continue with boundaries after it, decided by a fragment that the others must ask.
#include "parts.h"

struct Config {
  int64_t steps = 20;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(2));
  parts::Buffer buffer;
  parts::Learner learner;
  auto obs = env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = env.step(torch::full({2}, step, torch::kInt64));
    fdg::partition(fdg::gather, outcome);
    buffer.add({outcome.observation, outcome.observation, outcome.reward});
    if (buffer.size() % 3 == 0) {
      run.log("skipped", step);
      continue;
    }
    auto batch = buffer.sample(4);
    fdg::partition(fdg::scatter, batch);
    auto priorities = learner.learn(batch);
    fdg::partition(fdg::gather, priorities);
    buffer.mark(priorities);
    run.log("loss", learner.loss());
  }
  run.log("first", obs.sum().item<int64_t>());
}
FDG_PROGRAM(train)

// CHECK-DAG: choice {{.*}}: buffer -> learner
