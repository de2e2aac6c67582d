// A component stays where it is.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  auto x = rl::NStep(1);
  envs.reset();
  fdg::partition(fdg::gather, x);  // expected-error {{is a component: it has state of its own}}
  actor.act(x.push({}, {}, {}, {}).reward);
}
FDG_PROGRAM(train)
