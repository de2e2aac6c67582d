// break, continue and return around boundaries.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  for (int64_t i = 0; i < cfg.steps; ++i) {
    if (i == 1) {
      continue;
    }
    obs = envs.reset();
    fdg::partition(fdg::gather, obs);
    obs = actor.act(obs);
    fdg::partition(fdg::scatter, obs);
    envs.step(obs);
    if (i == 5) {
      return;
    }
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
