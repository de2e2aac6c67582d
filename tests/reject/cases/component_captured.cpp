// Nor is it captured by copy.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  auto act = [actor]() mutable { return actor.act({}); };  // expected-error {{the component 'actor' is copied}}
  envs.step(act());
}
FDG_PROGRAM(train)
