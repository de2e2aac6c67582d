// More replicas than rows: some own none. Tensors without rows go through components, operations and reductions.
#include "parts.h"

struct Config {
  int64_t steps = 12;
  int64_t envs = 2;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(cfg.envs));
  parts::Actor actor;
  parts::Learner learner;
  auto obs = env.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast, weights);
    actor.load(weights);
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto outcome = env.step(action);
    obs = outcome.observation;
    fdg::partition(fdg::gather, obs);
    int64_t rows = outcome.reward.size(0);
    int64_t high = rows == 0 ? -100 : outcome.reward.max().item<int64_t>();
    bool done = outcome.done.any().item<bool>();
    torch::Tensor sums = outcome.reward.sum().reshape({1});
    auto all = outcome.reward;
    auto chosen = outcome.reward.index({outcome.done});
    fdg::partition(fdg::reduce_sum, rows);
    fdg::partition(fdg::reduce_max, high);
    fdg::partition(fdg::reduce_any, done);
    fdg::partition(fdg::reduce_sum, sums);
    fdg::partition(fdg::gather, all);
    fdg::partition(fdg::append, chosen);
    learner.learn(all + rows + high + sums);
    if (done) {
      learner.learn(chosen);
    }
    run.log("loss", learner.loss());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: boundary rows: reduce_sum
// POLICY: more_replicas_than_rows.yaml
