// A static local of two fragments.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  static int done = 0;
  torch::Tensor obs = envs.reset();
  envs.step(obs * ++done);
  fdg::partition(fdg::gather, obs);
  actor.act(obs, done);  // expected-error {{'done' outlives the training function}}
}
FDG_PROGRAM(train)
