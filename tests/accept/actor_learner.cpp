// The smallest loop with four roles: experience to a buffer, batches to a learner, weights back.
#include "parts.h"

struct Config {
  int64_t envs = 4;     ///< Environments.
  int64_t steps = 40;   ///< Iterations.
  int64_t warmup = 12;  ///< Rows before learning starts.
  int64_t sync = 3;     ///< Iterations between two broadcasts.
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(cfg.envs));
  parts::Actor actor;
  parts::Buffer buffer;
  parts::Learner learner;

  torch::Tensor obs = env.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    if (step % cfg.sync == 0) {
      auto weights = learner.weights();
      fdg::partition(fdg::broadcast.loose(), weights);
      actor.load(weights);
    }
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto outcome = env.step(action);
    fdg::partition(fdg::gather, outcome);
    parts::Experience experience{obs, action, outcome.reward};
    obs = outcome.observation;
    fdg::partition(fdg::append.loose(), experience);
    buffer.add(experience);
    int64_t stored = buffer.size();
    fdg::partition(fdg::reduce_sum, stored);
    if (stored >= cfg.warmup) {
      auto batch = buffer.sample(8);
      fdg::partition(fdg::scatter, batch);
      auto priorities = learner.learn(batch);
      run.log("loss", learner.loss());
      fdg::partition(fdg::gather.loose(), priorities);
      buffer.mark(priorities);
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(train)

// CHECK: program train
// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment actor: components actor;
// CHECK-DAG: fragment buffer: components buffer;
// CHECK-DAG: fragment learner: components learner;
// CHECK-DAG: boundary obs: gather environment -> actor; line 18; once
// CHECK-DAG: boundary weights: broadcast.loose learner -> actor
// CHECK-DAG: boundary experience: append.loose actor -> buffer
// CHECK-DAG: boundary batch: scatter buffer -> learner
// RUNS: drain.yaml
