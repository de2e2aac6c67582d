// A fragment is named and placed by the variable that holds its component; a structured binding over an object
// without a name gives none.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Both {
  rl::Actor actor;
  int64_t count = 0;
};
Both make(fdg::Run& run, const Config& cfg) {
  return {rl::Actor({}, run.rows(cfg.envs), run.stream("actor")), 3};
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  auto [actor, count] = make(run, cfg);  // expected-error {{'actor' is a component inside an object that has no name here}}
  for (int64_t step = 0; step < cfg.steps; ++step) {
    torch::Tensor obs = envs.reset();
    fdg::partition(fdg::gather, obs);
    actor.act(obs);
  }
}
FDG_PROGRAM(train)
