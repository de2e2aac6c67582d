// A global that is used by a function whose address is taken.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

int64_t tick() {
  static int64_t count = 0;
  return ++count;  // expected-error {{'count' outlives the training function}}
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  int64_t (*first)() = &tick;
  envs.step(obs * static_cast<double>(first()));
  fdg::partition(fdg::gather, obs);
  actor.act(obs, tick());
}
FDG_PROGRAM(train)
