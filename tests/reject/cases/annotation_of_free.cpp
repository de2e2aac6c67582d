// What the config gives needs no boundary.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  int64_t half = cfg.steps / 2;
  fdg::partition(fdg::broadcast, half);  // expected-error {{'half' depends on the configuration alone}}
  torch::Tensor obs = envs.reset() * half;
  fdg::partition(fdg::gather, obs);
  actor.act(obs, half);
}
FDG_PROGRAM(train)
