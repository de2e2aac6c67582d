// No base classes.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  struct Wide : rl::Outcome {
    int more = 0;
  };
  Wide x;
  x.reward = envs.reset();
  fdg::partition(fdg::gather, x);  // expected-error {{has a base class}}
  actor.act(x.reward);
}
FDG_PROGRAM(train)
