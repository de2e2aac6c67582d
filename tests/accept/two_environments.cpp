// Training and evaluation each have an environment; the second asks the same actor.
#include "parts.h"

struct Config {
  int64_t envs = 3;
  int64_t steps = 25;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(cfg.envs));
  parts::Environment test_env(run.rows(2), 5);
  parts::Actor actor;
  torch::Tensor obs = env.reset();
  torch::Tensor test_obs = test_env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    fdg::partition(fdg::gather, obs);
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto outcome = env.step(action);
    obs = outcome.observation;
    if (step % 4 == 3) {
      fdg::partition(fdg::gather, test_obs);
      auto test_action = actor.act(test_obs);
      fdg::partition(fdg::scatter, test_action);
      auto test_outcome = test_env.step(test_action);
      test_obs = test_outcome.observation;
      run.log("test/reward", test_outcome.reward.sum().item<int64_t>());
    }
    run.log("reward", outcome.reward.sum().item<int64_t>());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment environment2: components test_env;
// CHECK-DAG: fragment actor: components actor;
