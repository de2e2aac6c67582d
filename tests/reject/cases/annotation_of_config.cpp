// The config is no local variable.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  fdg::partition(fdg::broadcast, cfg);  // expected-error {{`cfg` is not a local variable}}
  actor.act(envs.reset());
}
FDG_PROGRAM(train)
