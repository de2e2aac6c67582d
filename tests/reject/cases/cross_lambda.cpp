// A lambda cannot cross.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  auto x = [](int i) { return i; };
  envs.reset();
  fdg::partition(fdg::gather, x);  // expected-error {{a function cannot be sent}}
  actor.act({}, x(1));
}
FDG_PROGRAM(train)
