// Several loops one after another, with a value that is carried from one to the next.
#include "parts.h"

struct Config {
  int64_t warmup = 5;
  int64_t steps = 9;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(2));
  parts::Buffer buffer;
  parts::Learner learner;
  auto obs = env.reset();
  for (int64_t i = 0; i < cfg.warmup; ++i) {
    auto outcome = env.step(torch::full({2}, i, torch::kInt64));
    obs = outcome.observation;
    fdg::partition(fdg::append, outcome);
    buffer.add({outcome.observation, outcome.reward, outcome.reward});
  }
  auto stored = buffer.size();
  fdg::partition(fdg::broadcast, stored);
  run.log("stored", stored + learner.loss());
  int64_t count = 0;
  while (count < cfg.steps) {
    auto batch = buffer.sample(2);
    fdg::partition(fdg::broadcast, batch);
    auto priorities = learner.learn(batch + stored);
    run.log("loss", learner.loss());
    fdg::partition(fdg::gather, priorities);
    buffer.mark(priorities);
    ++count;
  }
  fdg::partition(fdg::gather, obs);
  learner.learn(obs);
  run.save("model", learner.weights());
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary outcome: append environment -> buffer
