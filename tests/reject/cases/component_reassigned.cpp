// A component lives as long as the program.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  actor.act(envs.reset());
  actor = rl::Actor({}, run.rows(2), run.stream("again"));  // expected-error {{the component 'actor' is replaced}}
}
FDG_PROGRAM(train)
