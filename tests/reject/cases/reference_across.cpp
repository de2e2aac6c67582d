// A reference bound before the boundary.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  auto outcome = envs.step({});
  auto& reward = outcome.reward;
  fdg::partition(fdg::gather, outcome);
  actor.act(reward);  // expected-error {{'reward' refers to 'outcome' as it was before 'outcome' crossed}}
}
FDG_PROGRAM(train)
