// Attributes on statements.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  double x = envs.finishedReturns();
  if (x > 1) [[likely]] {
    run.log("x", x);
  }
  switch (cfg.limit) {
    case 1:
      run.log("y", x);
      [[fallthrough]];
    default:
      run.log("z", x);
  }
  [[maybe_unused]] int64_t n = 3;
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
