// run.rows sizes things; the config bounds loops.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  const fdg::Rows rows = run.rows(cfg.envs);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::Tensor x = envs.step(torch::zeros({rows.size()})).reward;
    fdg::partition(fdg::gather, x);
    actor.act(x);
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
