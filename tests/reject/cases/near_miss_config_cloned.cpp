// A tensor of the configuration: every fragment has a configuration of its own.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  torch::Tensor scale;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  for (int64_t step = 0; step < cfg.steps; ++step) {
    torch::Tensor obs = envs.reset();
    fdg::partition(fdg::gather, obs);
    torch::Tensor scale = cfg.scale;
    scale = scale.clone();
    scale.add_(obs);
    actor.act(scale);
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
