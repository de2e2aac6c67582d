// A number that crosses with rows must be equal on all replicas: reducing it would count it twice.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = envs.step({});
    int64_t count = outcome.reward.size(0);
    fdg::partition(fdg::gather, outcome, count);
    int64_t sum = count + 1;
    fdg::partition(fdg::reduce_sum, sum);  // expected-error {{'sum' is already the same on every replica}}
    actor.act(outcome.observation, sum);
    if (sum > 3) {
      envs.reset();
    }
  }
}
FDG_PROGRAM(train)
